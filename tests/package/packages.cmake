# Makes the packages of a built library: the archive, which is unpacked, and the Debian packages.
#
#     cmake -DSOURCE=… -DSTAGE=(of the library) -DFOLDER=… -P packages.cmake
file(REMOVE_RECURSE "${FOLDER}")
get_filename_component(bin "${CMAKE_COMMAND}" DIRECTORY)

function(pack generator prefix)
  set(build "${FOLDER}/build-${generator}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${build}" -DCMAKE_BUILD_TYPE=Release
            "-DCMAKE_INSTALL_PREFIX=${prefix}" "-DDORA_PREBUILT_DIR=${STAGE}"
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND "${bin}/cpack" -G ${generator} --config "${build}/CPackConfig.cmake" -B "${FOLDER}"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

pack(TGZ "${FOLDER}/nowhere") # the archive names no place
file(GLOB archive "${FOLDER}/libdora-*.tar.gz")
file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${FOLDER}")
string(REPLACE ".tar.gz" "" folder "${archive}")
file(RENAME "${folder}" "${FOLDER}/unpacked")

# Whatever cargo links into the library is in the list of licences.
execute_process(
  COMMAND cargo tree --locked --edges normal --prefix none --manifest-path "${SOURCE}/Cargo.toml"
  OUTPUT_VARIABLE tree COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n ]+ v[0-9][^\n ]*" crates "${tree}")
list(REMOVE_DUPLICATES crates)
list(FILTER crates EXCLUDE REGEX "^libdora ")
list(LENGTH crates count)
if(count LESS 100)
  message(FATAL_ERROR "cargo lists only ${count} crates:\n${tree}")
endif()
file(READ "${FOLDER}/unpacked/THIRD-PARTY" third_party)
foreach(crate IN LISTS crates)
  string(REPLACE " v" " " crate "${crate}")
  string(FIND "${third_party}" "\n${crate}" found)
  if(found EQUAL -1)
    message(SEND_ERROR "THIRD-PARTY does not name ${crate}")
  endif()
endforeach()

pack(DEB /usr)

# The source, as somebody would hand it on.
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E tar czf "${FOLDER}/source.tar.gz" CMakeLists.txt Cargo.lock Cargo.toml LICENSE
          README.md build.rs cmake include src
  WORKING_DIRECTORY "${SOURCE}" COMMAND_ERROR_IS_FATAL ANY)
