//! What becomes of a signature, and how bytes are encoded otherwise than JSON Web Signatures are (RFC 7515 §2).

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde::Deserialize;

/// The order of P-256, big-endian (SEC 2, 2.4.2).
const P256_ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7,
    0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];
/// The order of Ed25519's group, little-endian (RFC 8032 §5.1).
const ED25519_ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// What becomes of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mutation {
    Empty,
    Zeros,
    Truncated,
    Halved,
    Extended,
    Doubled,
    Flipped,
    /// It is that of another message.
    #[serde(rename = "of another")]
    OfAnother,
    #[serde(rename = "leading zero")]
    LeadingZero,
    /// ES256 as X.509 writes it.
    Der,
    /// ES256 with its halves changed about.
    Swapped,
    /// ES256 with n − s in place of s: good as well.
    #[serde(rename = "other s")]
    OtherS,
    /// EdDSA with L added to s: the same point, refused by RFC 8032 §5.1.7.
    #[serde(rename = "beyond order")]
    BeyondOrder,
}

impl Mutation {
    pub(crate) fn of(self, mut signature: Vec<u8>) -> Vec<u8> {
        let half = signature.len() / 2;
        match self {
            Self::Empty => signature.clear(),
            Self::Zeros => signature.fill(0),
            Self::Truncated => signature.truncate(signature.len() - 1),
            Self::Halved => signature.truncate(half),
            Self::Extended => signature.push(0),
            Self::Doubled => signature.extend_from_within(..),
            Self::Flipped => signature[half] ^= 1,
            Self::OfAnother => {}
            Self::LeadingZero => signature.insert(0, 0),
            Self::Der => return der(&signature),
            Self::Swapped => signature.rotate_left(half),
            Self::OtherS => {
                let s: [u8; 32] = signature[half..].try_into().expect("32 bytes");
                signature.splice(half.., difference(P256_ORDER, s));
            }
            Self::BeyondOrder => {
                let mut carry = 0;
                for (byte, more) in signature[half..].iter_mut().zip(ED25519_ORDER) {
                    let sum = u16::from(*byte) + u16::from(more) + carry;
                    *byte = sum.to_le_bytes()[0];
                    carry = sum >> 8;
                }
            }
        }
        signature
    }
}

/// Of two big-endian numbers, the first of them greater.
fn difference(from: [u8; 32], what: [u8; 32]) -> [u8; 32] {
    let (mut result, mut borrow) = ([0; 32], 0);
    for index in (0..32).rev() {
        let digit = i16::from(from[index]) - i16::from(what[index]) - borrow;
        result[index] = digit.rem_euclid(256).to_le_bytes()[0];
        borrow = i16::from(digit < 0);
    }
    result
}

/// A sequence of two integers.
fn der(signature: &[u8]) -> Vec<u8> {
    let integer = |half: &[u8]| {
        let digits: Vec<u8> = half.iter().copied().skip_while(|byte| *byte == 0).collect();
        let sign = digits.first().is_none_or(|first| *first >= 0x80).then_some(0);
        let digits: Vec<u8> = sign.into_iter().chain(digits).collect();
        [&[2, length(&digits)], digits.as_slice()].concat()
    };
    let (r, s) = signature.split_at(signature.len() / 2);
    let both = [integer(r), integer(s)].concat();
    [&[0x30, length(&both)], both.as_slice()].concat()
}

fn length(bytes: &[u8]) -> u8 {
    u8::try_from(bytes.len()).expect("short")
}

/// How bytes become text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Coding {
    /// As it must be.
    #[default]
    Url,
    /// With `=` behind it.
    Padded,
    /// With `+` and `/`.
    Standard,
    /// With ones in the last letter's unused bits.
    #[serde(rename = "bits left over")]
    BitsLeftOver,
    Hexadecimal,
}

impl Coding {
    pub(crate) fn encode(self, bytes: &[u8]) -> String {
        match self {
            Self::Url => URL_SAFE_NO_PAD.encode(bytes),
            Self::Padded => URL_SAFE.encode(bytes),
            Self::Standard => STANDARD_NO_PAD.encode(bytes),
            Self::Hexadecimal => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Self::BitsLeftOver => {
                let mut text = URL_SAFE_NO_PAD.encode(bytes);
                // the last letter of one or two bytes ends in zeros, so the next letter has the same bits before them
                if let Some(last) = text.pop() {
                    text.push(if bytes.len().is_multiple_of(3) { last } else { next(last) });
                }
                text
            }
        }
    }

    /// Whether it writes these bytes as they must be written.
    pub(crate) fn is_idle(self, bytes: &[u8]) -> bool {
        self != Self::Url && self.encode(bytes) == Self::Url.encode(bytes)
    }
}

/// The letter behind one in the alphabet of base64url.
fn next(letter: char) -> char {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let place = ALPHABET.find(letter).expect("a letter of base64url");
    ALPHABET[place + 1..].chars().next().expect("it is not the last one, which ends in ones")
}
