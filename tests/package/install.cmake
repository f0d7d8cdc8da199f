# Installs a build tree twice: to INSTALLED, and to a folder that then is moved to MOVED, so that whatever still
# names where it was installed finds nothing.
#
#     cmake -DSOURCE=… -DBUILD=… -DINSTALLED=… -DMOVED=… -P install.cmake
set(first "${MOVED}.first")
file(REMOVE_RECURSE "${first}" "${MOVED}" "${INSTALLED}")
foreach(prefix IN ITEMS "${INSTALLED}" "${first}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(RENAME "${first}" "${MOVED}")

# Nor may it name the trees that it comes from, which are still there.
file(GLOB_RECURSE texts "${MOVED}/*.cmake" "${MOVED}/*.pc" "${MOVED}/*.h" "${MOVED}/*.hpp")
foreach(text IN LISTS texts)
  file(READ "${text}" content)
  foreach(tree IN ITEMS "${SOURCE}" "${BUILD}")
    string(FIND "${content}" "${tree}" found)
    if(NOT found EQUAL -1)
      message(SEND_ERROR "${text} names ${tree}")
    endif()
  endforeach()
endforeach()
