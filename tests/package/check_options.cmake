# Configures libdora in the ways that its options allow, and checks what it says and what it would run.
#
#     cmake -DSOURCE=… -DFOLDER=… -DABI=0 -DVERSION=0.1.0 -P check_options.cmake
set(build "${FOLDER}/build")
file(REMOVE_RECURSE "${FOLDER}")

# expect(SUCCEEDS TEXT OPTION…): the text is in what configuring prints.
function(expect succeeds text)
  file(REMOVE "${build}/CMakeCache.txt")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G "Unix Makefiles" -S "${SOURCE}" -B "${build}" ${ARGN}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  string(REGEX REPLACE "[ \n]+" " " output "${output}${errors}") # sentences are wrapped
  if((succeeds AND NOT result EQUAL 0) OR (result EQUAL 0 AND NOT succeeds))
    message(SEND_ERROR "Configuring with '${ARGN}' ends with ${result}:\n${output}")
  endif()
  string(FIND "${output}" "${text}" found)
  if(found EQUAL -1)
    message(SEND_ERROR "Configuring with '${ARGN}' does not say '${text}', but:\n${output}")
  endif()
endfunction()

# What the rule for the shared library would run.
function(expect_rule)
  file(READ "${build}/CMakeFiles/dora-shared-library.dir/build.make" rule)
  foreach(text IN LISTS ARGN)
    string(FIND "${rule}" "${text}" found)
    if(found EQUAL -1)
      message(SEND_ERROR "The shared library is not built with '${text}', but:\n${rule}")
    endif()
  endforeach()
endfunction()

# Who says nothing means to use what comes out.
expect(TRUE "cargo profile release, for the build type ''")
expect_rule("--profile release")
expect(TRUE "cargo profile release, for the build type 'RelWithDebInfo'" -DCMAKE_BUILD_TYPE=RelWithDebInfo)
expect(TRUE "cargo profile dev, for the build type 'Debug'" -DCMAKE_BUILD_TYPE=Debug)
expect_rule("--profile dev" "/debug/libdora.so")
expect(TRUE "cargo profile dist, as DORA_CARGO_PROFILE says" -DDORA_CARGO_PROFILE=dist -DCMAKE_BUILD_TYPE=Debug)
expect(FALSE "DORA_BUILD_SHARED and DORA_BUILD_STATIC are both off" -DDORA_BUILD_SHARED=OFF)
expect(FALSE "for Linux, not for Windows" -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER_WORKS=1)

file(WRITE "${FOLDER}/bin/cargo" "#!/bin/sh\necho cargo 1.60.0\n")
file(CHMOD "${FOLDER}/bin/cargo" PERMISSIONS OWNER_READ OWNER_EXECUTE)
expect(FALSE "cargo has version '1.60.0'. libdora is built with Rust" "-DDORA_CARGO=${FOLDER}/bin/cargo")

# When cross-compiling, the compiler says for what, whatever the toolchain file calls it; and it links.
expect(TRUE "cargo profile" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc)
expect_rule("--target aarch64-unknown-linux-gnu" "/aarch64-linux-gnu-gcc"
            "/aarch64-unknown-linux-gnu/release/libdora.so")
expect(TRUE "cargo profile" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=armv8
       -DCMAKE_C_COMPILER_TARGET=aarch64-linux-gnu -DCMAKE_C_COMPILER_WORKS=1)
expect_rule("--target aarch64-unknown-linux-gnu" "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER="
            "/aarch64-unknown-linux-gnu/release/libdora.so")
expect(FALSE "which Rust target is 'arm-linux-gnueabihf'" -DCMAKE_SYSTEM_NAME=Linux
       -DCMAKE_C_COMPILER_TARGET=arm-linux-gnueabihf -DCMAKE_C_COMPILER_WORKS=1)
expect(TRUE "cargo profile" -DCMAKE_SYSTEM_NAME=Linux -DDORA_RUST_TARGET=armv7-unknown-linux-gnueabihf)
expect_rule("--target armv7-unknown-linux-gnueabihf")

# A built library is taken if it is of this version and ABI, and without cargo.
set(prebuilt "${FOLDER}/prebuilt")
file(MAKE_DIRECTORY "${prebuilt}")
expect(FALSE "has no ${prebuilt}/libdora.so" "-DDORA_PREBUILT_DIR=${prebuilt}")
file(WRITE "${prebuilt}/libdora.so" "77.${VERSION}\nlibdora.so.${ABI}\n")
expect(FALSE "libdora.so is not of version ${VERSION}" "-DDORA_PREBUILT_DIR=${prebuilt}")
file(WRITE "${prebuilt}/libdora.so" "${VERSION}\nlibdora.so.77\n")
expect(FALSE "libdora.so is not of ABI ${ABI}" "-DDORA_PREBUILT_DIR=${prebuilt}")
file(WRITE "${prebuilt}/libdora.so" "${VERSION}\nlibdora.so.${ABI}\n")
expect(TRUE "as DORA_PREBUILT_DIR says" "-DDORA_PREBUILT_DIR=${prebuilt}" -DDORA_CARGO=/nowhere/cargo)
expect(FALSE "--print native-static-libs" "-DDORA_PREBUILT_DIR=${prebuilt}" -DDORA_BUILD_STATIC=ON)

# The static library alone is what dora::dora is then, and pkg-config gives all that it needs without being asked.
file(WRITE "${prebuilt}/libdora.native-static-libs" "-lneeded -lc")
file(WRITE "${prebuilt}/libdora.a" "!<arch>\n")
expect(FALSE "libdora.a is not of version ${VERSION}" "-DDORA_PREBUILT_DIR=${prebuilt}" -DDORA_BUILD_STATIC=ON
       -DDORA_BUILD_SHARED=OFF)
file(WRITE "${prebuilt}/libdora.a" "!<arch>\n${VERSION}\n")
expect(TRUE "as DORA_PREBUILT_DIR says" "-DDORA_PREBUILT_DIR=${prebuilt}" -DDORA_BUILD_STATIC=ON
       -DDORA_BUILD_SHARED=OFF)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${build}" --prefix "${FOLDER}/static" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB libraries RELATIVE "${FOLDER}/static" "${FOLDER}/static/lib/libdora*")
if(NOT libraries STREQUAL "lib/libdora.a")
  message(SEND_ERROR "With the static library alone these are installed: ${libraries}")
endif()
file(STRINGS "${FOLDER}/static/lib/pkgconfig/dora.pc" pc REGEX "^Libs")
if(NOT "Libs: -L\${libdir} -l\${library} -lneeded -lc" IN_LIST pc)
  message(SEND_ERROR "With the static library alone dora.pc says ${pc}")
endif()
file(READ "${FOLDER}/static/lib/cmake/dora/dora-config.cmake" config)
if(NOT config MATCHES "set\\(dora_kinds static\\)")
  message(SEND_ERROR "With the static library alone, the CMake package has others:\n${config}")
endif()
