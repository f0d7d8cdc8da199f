# Packages, made by cpack in a build tree: -G TGZ, an archive to unpack anywhere; -G DEB, the Debian packages
# libdora0 and libdora-dev. The preset debian lays the files out as Debian has them.
# The project has no address of its own, which .invalid says: who hands packages on writes theirs.
set(DORA_PACKAGE_CONTACT "libdora maintainers <maintainers@libdora.invalid>" CACHE STRING
    "Who is named as the maintainer of a package")

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME libdora)
set(CPACK_PACKAGE_VENDOR libdora)
set(CPACK_PACKAGE_CONTACT "${DORA_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "C and C++ interface of dora dataflows")
set(CPACK_PACKAGE_FILE_NAME "libdora-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_VERBATIM_VARIABLES ON)

# The archive holds everything. The Debian packages leave out the static library, for which each program would
# have to be built again when dora has a fault.
set(CPACK_COMPONENTS_ALL dora_runtime dora_development)
set(CPACK_COMPONENT_DORA_DEVELOPMENT_DEPENDS dora_runtime)
set(CPACK_COMPONENT_DORA_RUNTIME_DESCRIPTION
    "dora starts programs and connects their outputs to their inputs.
This package has the shared library that programs in C and C++ use.")
set(CPACK_COMPONENT_DORA_DEVELOPMENT_DESCRIPTION
    "dora starts programs and connects their outputs to their inputs.
This package has what is needed to build such programs in C and C++:
the headers, the CMake package and dora.pc.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE libdora)
set(CPACK_DEBIAN_PACKAGE_MULTIARCH same)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_DORA_RUNTIME_PACKAGE_NAME libdora${dora_abi})
set(CPACK_DEBIAN_DORA_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DORA_DEVELOPMENT_PACKAGE_NAME libdora-dev)
set(CPACK_DEBIAN_DORA_DEVELOPMENT_PACKAGE_SECTION libdevel)

# What DoraPackageFiles.cmake, which cpack runs, has to know.
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/DoraPackageFiles.cmake")
set(CPACK_DORA_SOURCE_DIR "${PROJECT_SOURCE_DIR}")
set(CPACK_DORA_STRIP "${CMAKE_STRIP}")
set(CPACK_DORA_CARGO cargo)
if(DORA_CARGO)
  set(CPACK_DORA_CARGO "${DORA_CARGO}")
endif()
dora_find_rust_target(CPACK_DORA_RUST_TARGET)
include(CPack)
