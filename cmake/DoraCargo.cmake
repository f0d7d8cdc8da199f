# Building the libraries with cargo. DoraPrebuilt.cmake has the same functions for libraries that are there.

# Fails unless a cargo of at least the given version is there.
function(dora_check_cargo needed)
  set(wanted "libdora is built with Rust ${needed} or newer: https://rustup.rs")
  find_program(
    DORA_CARGO cargo
    HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin"
    DOC "The cargo that builds libdora"
    # When cross-compiling, still a program of this machine.
    NO_CMAKE_FIND_ROOT_PATH)
  if(NOT DORA_CARGO)
    message(FATAL_ERROR "dora: cargo was not found. ${wanted}. Or name a built library in DORA_PREBUILT_DIR.")
  endif()
  execute_process(COMMAND "${DORA_CARGO}" --version OUTPUT_VARIABLE found)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" found "${found}")
  if(found VERSION_LESS needed)
    message(FATAL_ERROR "dora: ${DORA_CARGO} has version '${found}'. ${wanted}")
  endif()
endfunction()

# Chooses the cargo profiles for Debug and for every other build type, the same where only one is built. Only
# Debug is built without optimisation: who gives no build type means to use what comes out.
function(dora_choose_profiles out debug_out)
  set(profile release)
  set(debug_profile dev)
  if(DORA_CARGO_PROFILE)
    set(profile "${DORA_CARGO_PROFILE}")
    set(debug_profile "${profile}")
    message(STATUS "dora: cargo profile ${profile}, as DORA_CARGO_PROFILE says")
  elseif(CMAKE_CONFIGURATION_TYPES)
    message(STATUS "dora: cargo profile ${debug_profile} for Debug, ${profile} for every other configuration")
  else()
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
      set(profile ${debug_profile})
    endif()
    set(debug_profile ${profile})
    message(STATUS "dora: cargo profile ${profile}, for the build type '${CMAKE_BUILD_TYPE}'")
  endif()
  set(${out} ${profile} PARENT_SCOPE)
  set(${debug_out} ${debug_profile} PARENT_SCOPE)
endfunction()

# Rust's name of the machine to build for, or nothing where that is this one. What the compiler says is taken,
# not CMAKE_SYSTEM_PROCESSOR, which toolchain files write in many ways.
function(dora_find_rust_target out)
  set(target "${DORA_RUST_TARGET}")
  if(NOT target AND CMAKE_CROSSCOMPILING)
    set(machine "${CMAKE_C_COMPILER_TARGET}")
    if(NOT machine)
      execute_process(
        COMMAND "${CMAKE_C_COMPILER}" -dumpmachine OUTPUT_VARIABLE machine OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    if(NOT machine MATCHES "^(aarch64|x86_64)-(.*-)?linux(-gnu)?$")
      message(FATAL_ERROR "dora: which Rust target is '${machine}'? Say so in DORA_RUST_TARGET, such as "
                          "armv7-unknown-linux-gnueabihf.")
    endif()
    set(target "${CMAKE_MATCH_1}-unknown-linux-gnu")
  endif()
  set(${out} "${target}" PARENT_SCOPE)
endfunction()

# How a library comes about: dora_find_recipe(KIND PROFILE FOLDER_OUT COMMANDS_OUT DEPENDS_OUT). The commands put
# libdora.so, or libdora.a and the list of what it needs, into the folder. The profile may be a generator
# expression.
function(dora_find_recipe kind profile folder_out commands_out depends_out)
  set(crate_types_shared cdylib)
  set(crate_types_static staticlib)
  # Cargo's folder for a profile has the profile's name, but for the built-in dev.
  set(folder "$<IF:$<STREQUAL:${profile},dev>,debug,${profile}>")
  # The one library alone: whatever else the crate can be, linked at one with it, keeps code in it that nothing
  # there uses, three megabytes of it.
  set(cargo "${DORA_CARGO}" rustc --locked --lib --crate-type ${crate_types_${kind}} --profile "${profile}"
            --target-dir "${DORA_CARGO_TARGET_DIR}" --manifest-path "${PROJECT_SOURCE_DIR}/Cargo.toml")
  dora_find_rust_target(target)
  if(target)
    set(folder "${target}/${folder}")
    string(REPLACE "-" "_" name "${target}")
    string(TOUPPER "${name}" upper_name)
    # Some crates compile C.
    list(PREPEND cargo "${CMAKE_COMMAND}" -E env "CARGO_TARGET_${upper_name}_LINKER=${CMAKE_C_COMPILER}"
         "CC_${name}=${CMAKE_C_COMPILER}" "AR_${name}=${CMAKE_AR}")
    list(APPEND cargo --target "${target}")
  endif()
  set(folder "${DORA_CARGO_TARGET_DIR}/${folder}")
  if(kind STREQUAL "static")
    list(APPEND cargo -- --print "native-static-libs=${folder}/${dora_native_list_name}")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*")
  list(APPEND sources "${PROJECT_SOURCE_DIR}/build.rs" "${PROJECT_SOURCE_DIR}/Cargo.toml"
       "${PROJECT_SOURCE_DIR}/Cargo.lock")
  set(${folder_out} "${folder}" PARENT_SCOPE)
  set(${commands_out} COMMAND ${cargo} PARENT_SCOPE)
  set(${depends_out} "${sources}" PARENT_SCOPE)
endfunction()

dora_check_cargo(${dora_rust_version})
