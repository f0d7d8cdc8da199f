# What is installed. All of it is relocatable: the prefix may be moved, and named only when installing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(dora_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dora")
set(dora_generated_dir "${PROJECT_BINARY_DIR}/install")

# The shared library, its link for the loader (SONAME), and for those who build with it its link for the linker.
if(DORA_BUILD_SHARED)
  install(
    FILES "${dora_stage}/libdora.so.${PROJECT_VERSION}" "${dora_stage}/libdora.so.${dora_abi}"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT dora_runtime)
  install(
    FILES "${dora_stage}/libdora.so"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT dora_development)
endif()
if(DORA_BUILD_STATIC)
  install(
    FILES "${dora_stage}/libdora.a"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT dora_static)
  install(
    FILES "${dora_native_list}"
    DESTINATION "${dora_package_dir}"
    COMPONENT dora_static)
endif()
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/dora"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT dora_development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# The CMake package, once as it is installed, and once for this build tree: find_package takes either. While the
# major version is 0, each minor version may break what came before.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(dora_compatibility SameMinorVersion)
else()
  set(dora_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(dora-config-version.cmake COMPATIBILITY ${dora_compatibility})
configure_file(cmake/dora-targets.cmake dora-targets.cmake COPYONLY)

function(dora_configure_package file destination include_dir library_dir debug_library_dir native_list)
  configure_package_config_file(
    cmake/dora-config.cmake.in "${file}"
    INSTALL_DESTINATION "${destination}" ${ARGN}
    PATH_VARS include_dir library_dir)
endfunction()
dora_configure_package(
  dora-config.cmake "${PROJECT_BINARY_DIR}" "${dora_include_dir}" "${dora_library_dir}"
  "${dora_debug_library_dir}" "${dora_native_list}" INSTALL_PREFIX "${PROJECT_BINARY_DIR}")
dora_configure_package(
  "${dora_generated_dir}/dora-config.cmake" "${dora_package_dir}" "${CMAKE_INSTALL_INCLUDEDIR}"
  "${CMAKE_INSTALL_LIBDIR}" "" "\${CMAKE_CURRENT_LIST_DIR}/${dora_native_list_name}")
install(
  FILES "${dora_generated_dir}/dora-config.cmake" "${PROJECT_BINARY_DIR}/dora-config-version.cmake"
        cmake/dora-targets.cmake
  DESTINATION "${dora_package_dir}"
  COMPONENT dora_development)

# pkg-config finds everything from where dora.pc lies. What the static library needs is known when it is built, so
# that is filled in when it is installed.
set(dora_pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${dora_pc_dir}" OUTPUT_VARIABLE dora_pc_prefix)
cmake_path(
  RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY "${dora_pc_dir}" OUTPUT_VARIABLE dora_pc_include_dir)
set(dora_native_libraries "")
if(DORA_BUILD_STATIC)
  set(dora_native_libraries "@dora_native_libraries@")
  install(
    CODE "file(STRINGS \"${dora_native_list}\" dora_native_libraries)"
    CODE "configure_file(\"${dora_generated_dir}/dora.pc.in\" \"${dora_generated_dir}/dora.pc\" @ONLY)"
    COMPONENT dora_development)
endif()
set(dora_pc_libs "-L\${libdir} -l\${library}")
set(dora_pc_libs_private "${dora_native_libraries}")
if(NOT DORA_BUILD_SHARED)
  string(APPEND dora_pc_libs " ${dora_native_libraries}")
  set(dora_pc_libs_private "")
endif()
configure_file(cmake/dora.pc.in "${dora_generated_dir}/dora.pc.in" @ONLY)
if(NOT DORA_BUILD_STATIC)
  configure_file("${dora_generated_dir}/dora.pc.in" "${dora_generated_dir}/dora.pc" COPYONLY)
endif()
install(
  FILES "${dora_generated_dir}/dora.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT dora_development)
