# Installs a build tree and moves what was installed.
#
#     cmake -DBUILD=… -DMOVED=… -P install.cmake
set(first "${MOVED}.first")
file(REMOVE_RECURSE "${first}" "${MOVED}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${first}" COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${first}" "${MOVED}")
