# The targets of libdora: one definition for the build tree and the installed package. Who includes it sets
#
#     dora_kinds                which libraries there are: shared, static; the first is dora::dora
#     dora_include_dir          the directory that holds dora/dora.h
#     dora_library_dir          the directory that holds the libraries
#     dora_debug_library_dir    the same for the configuration Debug, where that is another
#     dora_version, dora_abi    what the shared library is called: libdora.so.VERSION, libdora.so.ABI
#     dora_native_list          the file that lists what the static library needs
#     dora_target_scope         GLOBAL for targets that the whole project sees, or nothing
if(TARGET dora::dora)
  return() # Found a second time.
endif()

set(dora_file_shared libdora.so.${dora_version})
set(dora_file_static libdora.a)
foreach(dora_kind IN LISTS dora_kinds)
  string(TOUPPER ${dora_kind} dora_type)
  add_library(dora::${dora_kind} ${dora_type} IMPORTED ${dora_target_scope})
  set_target_properties(
    dora::${dora_kind}
    PROPERTIES IMPORTED_LOCATION "${dora_library_dir}/${dora_file_${dora_kind}}"
               INTERFACE_INCLUDE_DIRECTORIES "${dora_include_dir}")
  if(dora_debug_library_dir)
    set_target_properties(
      dora::${dora_kind}
      PROPERTIES IMPORTED_LOCATION_DEBUG "${dora_debug_library_dir}/${dora_file_${dora_kind}}")
  endif()
endforeach()

if(TARGET dora::shared)
  set_target_properties(dora::shared PROPERTIES IMPORTED_SONAME libdora.so.${dora_abi})
endif()
if(TARGET dora::static)
  set_target_properties(
    dora::static
    PROPERTIES INTERFACE_COMPILE_DEFINITIONS DORA_STATIC
               INTERFACE_LINK_LIBRARIES "-Wl,@${dora_native_list}")
endif()

# What users link.
list(GET dora_kinds 0 dora_kind)
add_library(dora::dora ALIAS dora::${dora_kind})

# The same for users of dora/dora.hpp, with the language version that it needs.
add_library(dora::cxx INTERFACE IMPORTED ${dora_target_scope})
set_target_properties(
  dora::cxx
  PROPERTIES INTERFACE_LINK_LIBRARIES dora::dora
             INTERFACE_COMPILE_FEATURES cxx_std_17)

# For sources written against dora's own C interface: node_api.h and its neighbours, under their old names.
add_library(dora::compat INTERFACE IMPORTED ${dora_target_scope})
set_target_properties(
  dora::compat
  PROPERTIES INTERFACE_LINK_LIBRARIES dora::dora
             INTERFACE_INCLUDE_DIRECTORIES "${dora_include_dir}/dora/compat")
