//! Another Rust archive, for two_archives.c: it allocates, panics and catches that, as Rust code does.

#[unsafe(no_mangle)]
pub extern "C" fn second_sum(count: u32) -> u32 {
    let values: Vec<u32> = (0..count).collect();
    std::panic::catch_unwind(|| values.iter().sum()).unwrap_or(u32::MAX)
}
