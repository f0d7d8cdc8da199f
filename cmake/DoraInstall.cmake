# What is installed. All of it is relocatable: the prefix may be moved, and named only when installing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The library, its link for the loader (SONAME), and for those who build with it its link for the linker.
install(
  FILES "${dora_stage}/libdora.so.${PROJECT_VERSION}" "${dora_stage}/libdora.so.${dora_abi}"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  COMPONENT dora_runtime)
install(
  FILES "${dora_stage}/libdora.so"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  COMPONENT dora_development)
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/dora"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT dora_development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# The CMake package. While the major version is 0, each minor version may break what came before.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(dora_compatibility SameMinorVersion)
else()
  set(dora_compatibility SameMajorVersion)
endif()
set(dora_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dora")
set(dora_installed_library "${CMAKE_INSTALL_LIBDIR}/libdora.so.${PROJECT_VERSION}")
configure_package_config_file(
  cmake/dora-config.cmake.in dora-config.cmake
  INSTALL_DESTINATION "${dora_package_dir}"
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR dora_installed_library)
write_basic_package_version_file(dora-config-version.cmake COMPATIBILITY ${dora_compatibility})
install(
  FILES "${CMAKE_CURRENT_BINARY_DIR}/dora-config.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/dora-config-version.cmake" cmake/dora-targets.cmake
  DESTINATION "${dora_package_dir}"
  COMPONENT dora_development)

# pkg-config finds its prefix from where dora.pc lies.
cmake_path(
  RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
  OUTPUT_VARIABLE dora_pc_to_prefix)
configure_file(cmake/dora.pc.in dora.pc @ONLY)
install(
  FILES "${CMAKE_CURRENT_BINARY_DIR}/dora.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT dora_development)
