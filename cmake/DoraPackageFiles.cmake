# Finishes what cpack is about to pack, in CPACK_TEMPORARY_DIRECTORY: strips the shared library, and adds the
# documents that each kind of package has to have.
file(GLOB_RECURSE files LIST_DIRECTORIES false "${CPACK_TEMPORARY_DIRECTORY}/libdora.so.*")
foreach(file IN LISTS files)
  if(NOT IS_SYMLINK "${file}")
    execute_process(COMMAND "${CPACK_DORA_STRIP}" --strip-unneeded "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

if(NOT CPACK_GENERATOR STREQUAL "DEB")
  file(COPY "${CPACK_DORA_SOURCE_DIR}/LICENSE" "${CPACK_DORA_SOURCE_DIR}/README.md"
            "${CPACK_DORA_SOURCE_DIR}/CHANGELOG.md"
       DESTINATION "${CPACK_TEMPORARY_DIRECTORY}")
  return()
endif()

# Debian wants to know of each package who may do what with it, and what changed when. SOURCE_DATE_EPOCH, where it
# is set, is the time that is written.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(work "${CPACK_TOPLEVEL_DIRECTORY}/debian")
file(WRITE "${work}/changelog"
     "libdora (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. CHANGELOG.md in the source tells what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  set(documents "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  file(MAKE_DIRECTORY "${documents}")
  file(COPY_FILE "${CPACK_DORA_SOURCE_DIR}/cmake/debian-copyright" "${documents}/copyright")
  execute_process(COMMAND gzip --best --no-name --stdout "${work}/changelog"
                  OUTPUT_FILE "${documents}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# lintian takes the texts of a Rust translation of libyaml for the library itself.
set(runtime "${CPACK_DEBIAN_DORA_RUNTIME_PACKAGE_NAME}")
file(WRITE "${CPACK_TEMPORARY_DIRECTORY}/dora_runtime/usr/share/lintian/overrides/${runtime}"
     "# The crate unsafe-libyaml, which is Rust; serde_yaml brings it along.
${runtime}: embedded-library libyaml *
")
