//! Memory that is shared with other processes: what of it is mapped, and whether it is there.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::ptr;

use super::sys::free_space;

/// What the kernel maps at an address.
#[derive(Debug, PartialEq)]
pub struct Mapping {
    pub addresses: Range<usize>,
    /// Whether others can map it too.
    pub is_shared: bool,
}

/// The mapping that holds an address.
pub fn mapping_at(address: usize) -> Option<Mapping> {
    let maps = BufReader::new(File::open("/proc/self/maps").ok()?);
    let mut mappings = maps.lines().map_while(Result::ok).filter_map(|line| Mapping::of(&line));
    mappings.find(|mapping| mapping.addresses.contains(&address))
}

impl Mapping {
    /// What a line of the kernel's list says, such as `8000-9000 rw-s …`.
    fn of(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let parse = |text| usize::from_str_radix(text, 16).ok();
        Some(Self { addresses: parse(start)?..parse(end)?, is_shared: words.next()?.ends_with('s') })
    }
}

/// Has the kernel provide the memory behind addresses now, so that a full `/dev/shm` is an error here and not
/// SIGBUS at the first write. What the memory holds stays.
pub fn populate(addresses: &Range<usize>) -> io::Result<()> {
    if addresses.is_empty() {
        return Ok(());
    }
    let begin = addresses.start & !(page_size() - 1);
    let size = addresses.end - begin;
    let begin = ptr::without_provenance_mut(begin);
    // SAFETY: the pages are touched and not changed; where none are mapped, it is an error.
    if unsafe { libc::madvise(begin, size, libc::MADV_POPULATE_WRITE) } == 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    let is_full = match error.raw_os_error() {
        // So it says that a write would raise SIGBUS.
        Some(libc::EFAULT) => true,
        // Linux before 5.14 does not know it.
        Some(libc::EINVAL) => free_space(c"/dev/shm").is_some_and(|free| free < size as u64),
        _ => return Err(error),
    };
    if is_full { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

pub fn page_size() -> usize {
    // SAFETY: a call without pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;
    use std::slice;

    use super::*;

    fn addresses(memory: &[MaybeUninit<u8>]) -> Range<usize> {
        let range = memory.as_ptr_range();
        range.start.addr()..range.end.addr()
    }

    /// Three pages shared, of a file that has `size` bytes.
    fn with_pages(size: usize, body: impl FnOnce(&mut [MaybeUninit<u8>])) {
        // SAFETY: the name is terminated; the mapping is the test's own, unmapped behind its last use.
        unsafe {
            let file = libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC);
            assert_eq!(libc::ftruncate(file, size.cast_signed() as libc::off_t), 0);
            let (length, protection) = (3 * page_size(), libc::PROT_READ | libc::PROT_WRITE);
            let memory = libc::mmap(ptr::null_mut(), length, protection, libc::MAP_SHARED, file, 0);
            assert_ne!(memory, libc::MAP_FAILED);
            body(slice::from_raw_parts_mut(memory.cast(), length));
            libc::munmap(memory, length);
            libc::close(file);
        }
    }

    fn resident(memory: &mut [MaybeUninit<u8>]) -> Vec<u8> {
        let mut pages = vec![0; memory.len() / page_size()];
        // SAFETY: a byte a page is written, and the range is mapped.
        unsafe { libc::mincore(memory.as_mut_ptr().cast(), memory.len(), pages.as_mut_ptr()) };
        pages
    }

    #[test]
    fn pages_that_hold_a_part_are_provided() {
        with_pages(3 * page_size(), |memory| {
            assert_eq!(resident(memory), [0, 0, 0]);
            populate(&addresses(&memory[page_size() - 1..=page_size()])).unwrap();
            assert_eq!(resident(memory), [1, 1, 0]);
            populate(&addresses(&[])).unwrap();
        });
    }

    #[test]
    fn the_mapping_of_an_address_is_found() {
        with_pages(3 * page_size(), |memory| {
            let begin = memory.as_ptr().addr();
            let mapping = mapping_at(begin + page_size()).unwrap();
            assert!(mapping.addresses.contains(&begin) && mapping.is_shared);
            assert!(mapping.addresses.contains(&(begin + memory.len() - 1)));
        });
        assert!(
            !mapping_at(ptr::from_ref(&page_size()).addr()).unwrap().is_shared,
            "a stack is a thread's own"
        );
        assert_eq!(mapping_at(1), None);
        let line = "8000-9000 rw-s 00000000 00:19 5 /dev/shm/12.zenoh";
        assert_eq!(Mapping::of(line), Some(Mapping { addresses: 0x8000..0x9000, is_shared: true }));
    }

    #[test]
    fn what_is_there_stays() {
        with_pages(3 * page_size(), |memory| {
            memory[10].write(7);
            populate(&addresses(memory)).unwrap();
            // SAFETY: it was written above.
            assert_eq!(unsafe { memory[10].assume_init() }, 7);
        });
    }

    #[test]
    fn what_cannot_be_provided_is_an_error() {
        with_pages(page_size(), |memory| {
            assert_eq!(populate(&addresses(memory)).unwrap_err().kind(), io::ErrorKind::StorageFull);
        });
    }
}
