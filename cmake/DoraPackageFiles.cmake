# Finishes what cpack is about to pack, in CPACK_TEMPORARY_DIRECTORY: strips the shared library, and adds the
# documents that each kind of package has to have. It takes cargo and Python, even where the library was prebuilt.
file(GLOB_RECURSE files LIST_DIRECTORIES false "${CPACK_TEMPORARY_DIRECTORY}/libdora.so.*")
foreach(file IN LISTS files)
  if(NOT IS_SYMLINK "${file}")
    execute_process(COMMAND "${CPACK_DORA_STRIP}" --strip-unneeded "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

set(third_party "${CPACK_TOPLEVEL_DIRECTORY}/THIRD-PARTY")
execute_process(
  COMMAND python3 "${CPACK_DORA_SOURCE_DIR}/cmake/third_party.py" "${CPACK_DORA_CARGO}"
          "${CPACK_DORA_SOURCE_DIR}/Cargo.toml" "${third_party}" ${CPACK_DORA_RUST_TARGET}
  COMMAND_ERROR_IS_FATAL ANY)

if(NOT CPACK_GENERATOR STREQUAL "DEB")
  file(COPY "${CPACK_DORA_SOURCE_DIR}/LICENSE" "${CPACK_DORA_SOURCE_DIR}/README.md"
            "${CPACK_DORA_SOURCE_DIR}/CHANGELOG.md" "${third_party}"
       DESTINATION "${CPACK_TEMPORARY_DIRECTORY}")
  return()
endif()

function(compress file archive)
  execute_process(COMMAND gzip --best --no-name --stdout "${file}"
                  OUTPUT_FILE "${archive}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Debian wants to know of each package who may do what with it, and what changed when. SOURCE_DATE_EPOCH, where it
# is set, is the time that is written.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(changelog "${CPACK_TOPLEVEL_DIRECTORY}/changelog")
file(WRITE "${changelog}"
     "libdora (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}. CHANGELOG.md in the source tells what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  set(documents "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  file(MAKE_DIRECTORY "${documents}")
  file(COPY_FILE "${CPACK_DORA_SOURCE_DIR}/cmake/debian-copyright" "${documents}/copyright")
  compress("${changelog}" "${documents}/changelog.gz")
endforeach()

set(runtime "${CPACK_DEBIAN_DORA_RUNTIME_PACKAGE_NAME}")
compress("${third_party}" "${CPACK_TEMPORARY_DIRECTORY}/dora_runtime/usr/share/doc/${runtime}/THIRD-PARTY.gz")

# lintian takes the texts of a Rust translation of libyaml for the library itself.
file(WRITE "${CPACK_TEMPORARY_DIRECTORY}/dora_runtime/usr/share/lintian/overrides/${runtime}"
     "# The crate unsafe-libyaml, which is Rust; serde_yaml brings it along.
${runtime}: embedded-library libyaml *
")
