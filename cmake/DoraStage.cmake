# The stage: the folder lib/PROFILE of the build tree, where the libraries lie as in an installed package. Its
# rules have real inputs and outputs: cargo is called when one of them changed, and not otherwise.

# What the static library needs from the system, as rustc lists it: a text that linkers take as their arguments.
set(dora_native_list_name libdora.native-static-libs)

function(dora_find_stage profile out)
  set(${out} "${PROJECT_BINARY_DIR}/lib/${profile}" PARENT_SCOPE)
endfunction()

# Stages the shared library with the links that the loader (SONAME) and the linker look for.
function(dora_stage_shared profile)
  dora_find_stage("${profile}" stage)
  dora_find_recipe(shared "${profile}" folder commands depends)
  set(library "${stage}/libdora.so.${PROJECT_VERSION}")
  add_custom_command(
    OUTPUT "${library}" "${stage}/libdora.so.${dora_abi}" "${stage}/libdora.so"
    ${commands}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${stage}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${folder}/libdora.so" "${library}"
    COMMAND "${CMAKE_COMMAND}" -E create_symlink libdora.so.${PROJECT_VERSION} "${stage}/libdora.so.${dora_abi}"
    COMMAND "${CMAKE_COMMAND}" -E create_symlink libdora.so.${dora_abi} "${stage}/libdora.so"
    DEPENDS ${depends}
    COMMENT "The shared library of libdora"
    USES_TERMINAL VERBATIM)
  add_custom_target(dora-shared-library ALL DEPENDS "${library}")
endfunction()

function(dora_stage_static profile)
  dora_find_stage("${profile}" stage)
  dora_find_recipe(static "${profile}" folder commands depends)
  add_custom_command(
    OUTPUT "${stage}/libdora.a" "${stage}/${dora_native_list_name}"
    ${commands}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${stage}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${folder}/libdora.a" "${folder}/${dora_native_list_name}" "${stage}"
    DEPENDS ${depends}
    COMMENT "The static library of libdora"
    USES_TERMINAL VERBATIM)
  add_custom_target(dora-static-library ALL DEPENDS "${stage}/libdora.a")
endfunction()
