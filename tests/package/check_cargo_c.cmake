# Checks that what cargo-c builds is called as what CMake builds: that the version which it takes for the SONAME, one
# below [package.metadata.capi.library] or else that of the package, begins with the ABI number.
#
#     cmake -DMANIFEST=Cargo.toml -DABI=0 -DVERSION=0.1.0 -P check_cargo_c.cmake
file(READ "${MANIFEST}" manifest)
if(NOT manifest MATCHES "\n\\[package\\.metadata\\.capi\\.library\\]\n([^[]*)")
  message(FATAL_ERROR "${MANIFEST} has no [package.metadata.capi.library]")
endif()
set(library "${CMAKE_MATCH_1}")
if(NOT library MATCHES "version_suffix_components = 1\n")
  message(SEND_ERROR "cargo-c would give the SONAME more than one number: version_suffix_components is not 1")
endif()
if(library MATCHES "(^|\n)version = \"([0-9.]+)\"")
  set(VERSION "${CMAKE_MATCH_2}")
endif()
if(NOT VERSION MATCHES "^${ABI}\\.")
  message(SEND_ERROR "cargo-c would make the SONAME of ${VERSION}, but the ABI number is ${ABI}. "
                     "Give [package.metadata.capi.library] a version that begins with it.")
endif()
