# Checks what the dynamic loader will read in the installed shared library.
#
#     cmake -DLIBRARY=… -DSONAME=libdora.so.0 -DREADELF=readelf -P check_elf.cmake
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C "${READELF}" --dynamic --wide "${LIBRARY}"
  OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)

if(NOT dynamic MATCHES "\\(SONAME\\)[^\n]*\\[${SONAME}\\]")
  message(SEND_ERROR "${LIBRARY} does not have the SONAME ${SONAME}:\n${dynamic}")
endif()
if(dynamic MATCHES "\\((RPATH|RUNPATH)\\)[^\n]*")
  message(SEND_ERROR "${LIBRARY} has a run path, which an installed library must not: ${CMAKE_MATCH_0}")
endif()
if(dynamic MATCHES "\\(NEEDED\\)[^\n]*/[^\n]*")
  message(SEND_ERROR "${LIBRARY} needs a library by its path: ${CMAKE_MATCH_0}")
endif()
string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*" needed "${dynamic}")
list(FILTER needed EXCLUDE REGEX "\\[(libc|libm|libgcc_s|ld-linux-[a-z0-9_-]+)\\.so\\.[0-9]+\\]")
if(needed)
  message(SEND_ERROR "${LIBRARY} needs libraries that not every system has: ${needed}")
endif()
if(NOT dynamic MATCHES "\\(FLAGS_1\\)[^\n]*NODELETE")
  message(SEND_ERROR "${LIBRARY} can be unloaded while dora's threads run: it is not linked with -z nodelete")
endif()
