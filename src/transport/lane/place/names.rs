//! Names of dataflows, nodes and outputs, as file names and as iceoryx2 takes them.

/// As long as the id of a dataflow, node or output may become; a suffix follows, and Linux takes 255 bytes.
const LONGEST: usize = 200;

/// The id with everything but `A-Z a-z 0-9 _ - .` percent-encoded. Different ids have different names.
pub fn file_name(id: &str) -> Result<String, String> {
    let name = encoded(id);
    if name.len() > LONGEST {
        return Err(format!(
            "the id '{id}' makes a file name of {} bytes, and {LONGEST} is the most: shorten it",
            name.len()
        ));
    }
    Ok(name)
}

pub fn encoded(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02X}")),
        }
    }
    name
}

/// What was encoded; None when it is not of that form.
pub fn decoded(name: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// A name in ASCII as it is, or the beginning of it with a number for the whole where it is longer than `limit`.
pub fn shortened(name: &str, limit: usize) -> String {
    if name.len() <= limit {
        return name.to_owned();
    }
    let number = format!("~{:032x}", fnv(name.as_bytes()));
    let begin = name.get(..limit.saturating_sub(number.len())).unwrap_or_default();
    format!("{begin}{number}")
}

/// FNV-1a of 128 bits: the same for every build of every version.
fn fnv(bytes: &[u8]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(BASIS, |sum, byte| (sum ^ u128::from(*byte)).wrapping_mul(PRIME))
}
