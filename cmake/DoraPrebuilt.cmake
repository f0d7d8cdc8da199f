# Taking libraries that were built before, here or elsewhere, from DORA_PREBUILT_DIR. Cargo is not needed then.
# The functions are those of DoraCargo.cmake.

function(dora_choose_profiles out debug_out)
  message(STATUS "dora: the library in ${DORA_PREBUILT_DIR}, as DORA_PREBUILT_DIR says")
  set(${out} prebuilt PARENT_SCOPE)
  set(${debug_out} prebuilt PARENT_SCOPE)
endfunction()

function(dora_find_rust_target out)
  set(${out} "${DORA_RUST_TARGET}" PARENT_SCOPE)
endfunction()

function(dora_find_recipe kind profile folder_out commands_out depends_out)
  cmake_path(ABSOLUTE_PATH DORA_PREBUILT_DIR OUTPUT_VARIABLE folder)
  set(files_shared libdora.so)
  set(files_static libdora.a ${dora_native_list_name})
  list(TRANSFORM files_${kind} PREPEND "${folder}/" OUTPUT_VARIABLE files)
  foreach(file IN LISTS files)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "dora: DORA_PREBUILT_DIR has no ${file}. ${dora_hint_${kind}}")
    endif()
  endforeach()
  list(GET files 0 library)
  dora_check_text("${library}" "${PROJECT_VERSION}" "version ${PROJECT_VERSION}")
  if(kind STREQUAL "shared")
    dora_check_text("${library}" libdora.so.${dora_abi} "ABI ${dora_abi}")
  endif()
  set(${folder_out} "${folder}" PARENT_SCOPE)
  set(${commands_out} "" PARENT_SCOPE)
  set(${depends_out} "${files}" PARENT_SCOPE)
endfunction()

set(dora_hint_shared "cargo rustc --release --crate-type cdylib builds it, in target/release.")
string(CONCAT dora_hint_static
       "cargo rustc --release --crate-type staticlib -- --print native-static-libs="
       "target/release/${dora_native_list_name} builds libdora.a and lists what it needs, in target/release.")

# A library of another version than the headers here may lack functions, and one of another ABI would crash. It tells
# both as a text in the file; to be asked, it would have to be for this machine.
function(dora_check_text library text meaning)
  string(REPLACE "." "\\." pattern "${text}")
  file(STRINGS "${library}" found REGEX "^${pattern}$" LIMIT_COUNT 1)
  if(NOT found)
    message(FATAL_ERROR "dora: ${library} is not of ${meaning}: it does not name ${text}.")
  endif()
endfunction()
