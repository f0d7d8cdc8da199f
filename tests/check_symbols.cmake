# Compares what the shared library exports with the committed list, both ways.
#
#     cmake -DLIBRARY=… -DLIST=tests/symbols.txt -DNM=nm -P check_symbols.cmake
execute_process(
  COMMAND "${NM}" --dynamic --defined-only --format=posix "${LIBRARY}"
  OUTPUT_VARIABLE exported COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE " [^\n]*\n" ";" exported "${exported}")
list(REMOVE_ITEM exported "")
file(STRINGS "${LIST}" listed)

set(missing ${listed})
list(REMOVE_ITEM missing ${exported})
set(extra ${exported})
list(REMOVE_ITEM extra ${listed})
set(foreign ${exported})
list(FILTER foreign EXCLUDE REGEX "^(dora_.*|read_dora_event)$")

foreach(symbol IN LISTS missing)
  message(SEND_ERROR "The library does not export ${symbol}, which tests/symbols.txt lists. Programs that "
                     "call it do not run any more: bring it back, or see docs/abi.md.")
endforeach()
foreach(symbol IN LISTS extra)
  message(SEND_ERROR "The library exports ${symbol}, which tests/symbols.txt does not list: add it there. "
                     "No release can take it back.")
endforeach()
foreach(symbol IN LISTS foreign)
  message(SEND_ERROR "The library exports ${symbol}; only dora_* and read_dora_event may be exported: "
                     "give it another name, or none (no_mangle).")
endforeach()
