//! Writing files so that nobody ever sees half of one.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes `bytes` to `path` by way of a neighbour that takes its name.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = OsString::from(path);
    // Two threads may write the same file.
    static WRITERS: AtomicU64 = AtomicU64::new(0);
    let writer = WRITERS.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}.{writer}.partial", std::process::id()));
    let neighbour = Path::new(&name);
    let written = fs::write(neighbour, bytes).and_then(|()| fs::rename(neighbour, path));
    if written.is_err() {
        // The first error is the one to report; there may be nothing to remove.
        let _ = fs::remove_file(neighbour);
    }
    written
}

/// Makes `folder` where it is missing, and proves that files can be made in it.
pub(crate) fn make_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".{}.probe", std::process::id()));
    fs::write(&probe, b"")?;
    fs::remove_file(&probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("ackward-files-{}", std::process::id()));
        assert!(make_writable(&folder).is_ok());
        // A folder stands where the file should be.
        let taken = folder.join("taken");
        assert!(fs::create_dir(&taken).is_ok());
        assert!(write_atomically(&taken, b"text").is_err());
        let left: Vec<_> = fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        assert_eq!(left.len(), 1);
        assert!(fs::remove_dir_all(&folder).is_ok());
    }

    #[test]
    fn many_may_write_one_file_at_a_time() {
        let folder = std::env::temp_dir().join(format!("ackward-many-{}", std::process::id()));
        assert!(make_writable(&folder).is_ok());
        let file = folder.join("file");
        let all_written = std::thread::scope(|scope| {
            let write = || (0..100).all(|_| write_atomically(&file, b"text").is_ok());
            let writers: Vec<_> = (0..4).map(|_| scope.spawn(write)).collect();
            writers
                .into_iter()
                .all(|writer| writer.join().is_ok_and(|written| written))
        });
        assert!(all_written);
        assert!(fs::remove_dir_all(&folder).is_ok());
    }

    #[test]
    fn a_file_in_the_way_of_the_folder_is_an_error() {
        assert!(make_writable(Path::new("/dev/null/findings")).is_err());
    }
}
