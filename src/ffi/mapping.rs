//! What of this process's memory is mapped, and whether it is there.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::ptr;

/// The addresses of the mapping that holds `address`.
pub fn mapping_at(address: usize) -> Option<Range<usize>> {
    let maps = BufReader::new(File::open("/proc/self/maps").ok()?);
    maps.lines().map_while(Result::ok).find_map(|line| {
        let (start, end) = line.split_whitespace().next()?.split_once('-')?;
        let range = usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?;
        range.contains(&address).then_some(range)
    })
}

/// Has the memory behind addresses be there, page by page, before it is written: where a file system is
/// full, writing would end the process by `SIGBUS`, and this is an error.
pub fn populate(addresses: &Range<usize>) -> io::Result<()> {
    let page = page_size();
    let start = addresses.start / page * page;
    let length = addresses.end.next_multiple_of(page) - start;
    // SAFETY: it only has the kernel provide pages of what is mapped; where nothing is, it is an error.
    let result = unsafe {
        libc::madvise(ptr::without_provenance_mut(start), length, libc::MADV_POPULATE_WRITE)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

pub fn page_size() -> usize {
    // SAFETY: a question without pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_found_and_populated() {
        let memory = vec![0_u8; 1 << 20];
        let address = memory.as_ptr().addr();
        let mapping = mapping_at(address).unwrap();
        assert!(mapping.contains(&address) && mapping.contains(&(address + memory.len() - 1)));
        populate(&(address..address + memory.len())).unwrap();
        assert!(populate(&(1..2)).is_err(), "nothing is mapped there");
        assert_eq!(mapping_at(1), None);
    }
}
