//! Memory that is shared with other processes.

use std::io;
use std::mem::MaybeUninit;

use super::sys::free_space;

/// Has the kernel provide the memory now, so that a full `/dev/shm` is an error here and not SIGBUS at the first
/// write. What the memory holds stays.
pub fn populate(memory: &mut [MaybeUninit<u8>]) -> io::Result<()> {
    if memory.is_empty() {
        return Ok(());
    }
    let range = memory.as_mut_ptr_range();
    let begin = range.start.map_addr(|address| address & !(page_size() - 1));
    let size = range.end.addr() - begin.addr();
    // SAFETY: the pages are touched and not changed. All of them hold bytes of `memory`, so they are mapped.
    if unsafe { libc::madvise(begin.cast(), size, libc::MADV_POPULATE_WRITE) } == 0 {
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

fn page_size() -> usize {
    // SAFETY: a call without pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use std::ptr;
    use std::slice;

    use super::*;

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
            populate(&mut memory[page_size() - 1..=page_size()]).unwrap();
            assert_eq!(resident(memory), [1, 1, 0]);
            populate(&mut []).unwrap();
        });
    }

    #[test]
    fn what_is_there_stays() {
        with_pages(3 * page_size(), |memory| {
            memory[10].write(7);
            populate(memory).unwrap();
            // SAFETY: it was written above.
            assert_eq!(unsafe { memory[10].assume_init() }, 7);
        });
    }

    #[test]
    fn what_cannot_be_provided_is_an_error() {
        with_pages(page_size(), |memory| {
            assert_eq!(populate(memory).unwrap_err().kind(), io::ErrorKind::StorageFull);
        });
    }
}
