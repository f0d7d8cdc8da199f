//! Versions
//!
//! What the program was compiled against stands in the macros `DORA_VERSION_MAJOR`, `DORA_VERSION_MINOR`,
//! `DORA_VERSION_PATCH` and `DORA_ABI`; what it runs with is told by these functions.

use std::ffi::CStr;

use crate::ffi::Text;

/// The ABI number, from `Cargo.toml`. Within one number functions are only added.
pub const ABI: u32 = parse(env!("DORA_ABI"));

const VERSION: &CStr = terminated(concat!(env!("CARGO_PKG_VERSION"), "\0"));
const DORA: &CStr = terminated(concat!(env!("DORA_NODE_API_VERSION"), "\0"));
const ARROW: &CStr = terminated(concat!(env!("DORA_ARROW_VERSION"), "\0"));

/// The ABI number of the library that runs. It equals `DORA_ABI` of a header that fits.
///
/// @return  The number in the library's SONAME.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_abi_version() -> u32 {
    ABI
}

/// The version of the library that runs, as one number that can be compared.
///
/// @return  major * 1,000,000 + minor * 1,000 + patch.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_version_number() -> u32 {
    parse(env!("CARGO_PKG_VERSION_MAJOR")) * 1_000_000
        + parse(env!("CARGO_PKG_VERSION_MINOR")) * 1_000
        + parse(env!("CARGO_PKG_VERSION_PATCH"))
}

/// The version of the library that runs.
///
/// @return  `"major.minor.patch"`, never NULL. Lives as long as the program.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_version_string() -> Text<'static> {
    Text::literal(VERSION)
}

/// The version of dora that the library speaks. The daemon must be of a compatible one.
///
/// @return  `"major.minor.patch"`, never NULL. Lives as long as the program.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_version_dora() -> Text<'static> {
    Text::literal(DORA)
}

/// The version of the Arrow implementation inside the library. It matters to nobody who passes the two C
/// structures, since their layout is fixed for ever.
///
/// @return  `"major.minor.patch"`, never NULL. Lives as long as the program.
///
/// Any thread. Since 0.1.0.
#[unsafe(no_mangle)]
pub extern "C" fn dora_version_arrow() -> Text<'static> {
    Text::literal(ARROW)
}

const fn terminated(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a version with a NUL"),
    }
}

const fn parse(number: &str) -> u32 {
    match u32::from_str_radix(number, 10) {
        Ok(number) => number,
        Err(_) => panic!("not a number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_agree_with_the_package() {
        assert_eq!(dora_version_string().required("version").unwrap(), env!("CARGO_PKG_VERSION"));
        assert_eq!(dora_version_dora().required("version").unwrap(), "1.1.0");
        assert!(dora_version_arrow().required("version").unwrap().starts_with("59."));
        assert_eq!(dora_version_number(), 1_000);
    }
}
