# The targets of libdora: one definition for the build tree and the installed package. Who includes it sets
#
#     dora_include_dir    the directory that holds dora/dora.h
#     dora_library        the shared library
#     dora_target_scope   GLOBAL for targets that the whole project sees, or nothing
if(TARGET dora::dora)
  return() # Found a second time.
endif()

add_library(dora::shared SHARED IMPORTED ${dora_target_scope})
set_target_properties(
  dora::shared
  PROPERTIES IMPORTED_LOCATION "${dora_library}"
             INTERFACE_INCLUDE_DIRECTORIES "${dora_include_dir}")

# What users link.
add_library(dora::dora ALIAS dora::shared)

# The same for users of dora/dora.hpp, with the language version that it needs.
add_library(dora::cxx INTERFACE IMPORTED ${dora_target_scope})
set_target_properties(
  dora::cxx
  PROPERTIES INTERFACE_LINK_LIBRARIES dora::dora
             INTERFACE_COMPILE_FEATURES cxx_std_17)
