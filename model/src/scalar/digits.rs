//! Numbers of a fixed number of digits, as dates and times are made of.

/// The number that these bytes spell, if every one is a digit. At most nine of them.
pub(super) fn read(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}

/// Spells a number over the whole slot, with leading zeros.
pub(super) fn fill(slot: &mut [u8], mut number: u32) {
    for byte in slot.iter_mut().rev() {
        *byte = b'0' + (number % 10) as u8;
        number /= 10;
    }
}
