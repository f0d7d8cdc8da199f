//! Symbols of parts of the library that are not its interface.

// iceoryx2 exports its choice of a logger under this name, for linking within one program.
std::arch::global_asm!(".hidden __internal_default_logger");
