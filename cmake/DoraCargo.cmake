# Building the library with cargo, as a rule with real inputs and outputs: cargo is called when one of them
# changed, and not otherwise.

# Fails unless a cargo of at least the given version is there.
function(dora_check_cargo needed)
  set(wanted "libdora is built with Rust ${needed} or newer: https://rustup.rs")
  find_program(
    DORA_CARGO cargo
    HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin"
    DOC "The cargo that builds libdora")
  if(NOT DORA_CARGO)
    message(FATAL_ERROR "dora: cargo was not found. ${wanted}")
  endif()
  execute_process(COMMAND "${DORA_CARGO}" --version OUTPUT_VARIABLE found)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" found "${found}")
  if(found VERSION_LESS needed)
    message(FATAL_ERROR "dora: ${DORA_CARGO} has version '${found}'. ${wanted}")
  endif()
endfunction()

# Chooses the cargo profiles for Debug and for every other build type. Only Debug is built without
# optimisation: who gives no build type means to use what comes out.
function(dora_choose_profiles out debug_out)
  set(profile release)
  set(debug_profile dev)
  if(DORA_CARGO_PROFILE)
    set(profile "${DORA_CARGO_PROFILE}")
    set(debug_profile "${DORA_CARGO_PROFILE}")
    message(STATUS "dora: cargo profile ${profile}, as DORA_CARGO_PROFILE says")
  elseif(CMAKE_CONFIGURATION_TYPES)
    message(STATUS "dora: cargo profile ${debug_profile} for Debug, ${profile} for every other configuration")
  elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
    message(STATUS "dora: cargo profile ${debug_profile}, for the build type Debug")
  else()
    message(STATUS "dora: cargo profile ${profile}, for the build type '${CMAKE_BUILD_TYPE}'")
  endif()
  set(${out} ${profile} PARENT_SCOPE)
  set(${debug_out} ${debug_profile} PARENT_SCOPE)
endfunction()

# Where the shared library of a profile is staged in the build tree.
function(dora_staged_library profile out)
  set(${out} "${PROJECT_BINARY_DIR}/lib/${profile}/libdora.so.${PROJECT_VERSION}" PARENT_SCOPE)
endfunction()

# Adds the target dora-library: builds the shared library with the profile, which may be a generator
# expression, and stages it with the links that the loader (SONAME) and the linker look for. Tells the folder.
function(dora_add_cargo_build profile abi out)
  dora_staged_library("${profile}" library)
  cmake_path(GET library PARENT_PATH stage)
  # Cargo's folder for a profile has the profile's name, but for the built-in dev.
  set(folder "$<IF:$<STREQUAL:${profile},dev>,debug,${profile}>")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*")
  add_custom_command(
    OUTPUT "${library}" "${stage}/libdora.so.${abi}" "${stage}/libdora.so"
    # The shared library alone: whatever else the crate can be, linked at one with it, keeps code in it that
    # nothing there uses, three megabytes of it.
    COMMAND "${DORA_CARGO}" rustc --locked --lib --crate-type cdylib --profile "${profile}" --target-dir
            "${DORA_CARGO_TARGET_DIR}"
            --manifest-path "${PROJECT_SOURCE_DIR}/Cargo.toml"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${stage}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${DORA_CARGO_TARGET_DIR}/${folder}/libdora.so" "${library}"
    COMMAND "${CMAKE_COMMAND}" -E create_symlink libdora.so.${PROJECT_VERSION} "${stage}/libdora.so.${abi}"
    COMMAND "${CMAKE_COMMAND}" -E create_symlink libdora.so.${abi} "${stage}/libdora.so"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/build.rs" "${PROJECT_SOURCE_DIR}/Cargo.toml"
            "${PROJECT_SOURCE_DIR}/Cargo.lock"
    COMMENT "Building libdora with cargo"
    USES_TERMINAL VERBATIM)
  add_custom_target(dora-library ALL DEPENDS "${library}")
  set(${out} "${stage}" PARENT_SCOPE)
endfunction()
