//! Questions about strings: whether one is blank, and the forms that a field may ask for.

use std::net::Ipv6Addr;

/// Whether there is nothing but white space: such a string is null (§2.4.1).
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The longest path that SMTP carries, without its angle brackets (RFC 5321, section 4.5.3.1.3).
pub(crate) const MAX_EMAIL: usize = 254;
pub(crate) const MAX_LOCAL_PART: usize = 64;
pub(crate) const MAX_LABEL: usize = 63;

/// Whether it is an e-mail address: a dot-atom, `@`, and a domain of labels. Quoted local parts, address literals and
/// internationalized addresses are refused, as browsers refuse them in forms.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    text.len() <= MAX_EMAIL && is_dot_atom(local) && domain.split('.').all(is_label)
}

fn is_dot_atom(local: &str) -> bool {
    let is_atom = |atom: &str| !atom.is_empty() && atom.bytes().all(|byte| is_one_of(byte, b"!#$%&'*+/=?^_`{|}~-"));
    local.len() <= MAX_LOCAL_PART && local.split('.').all(is_atom)
}

fn is_label(label: &str) -> bool {
    let hyphens_are_inside = !label.starts_with('-') && !label.ends_with('-');
    (1..=MAX_LABEL).contains(&label.len()) && hyphens_are_inside && label.bytes().all(|byte| is_one_of(byte, b"-"))
}

/// Whether it is an absolute URI by the grammar of RFC 3986: all ASCII, every `%` followed by two hex digits.
#[must_use]
pub fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    is_scheme(scheme) && is_hierarchy(hierarchy) && is_escaped(query, QUERY) && is_escaped(fragment, QUERY)
}

/// Beside letters and digits: unreserved characters and delimiters, which may stand in a registered name …
const NAME: &[u8] = b"-._~!$&'()*+,;=";
/// … in the credentials before a host …
const USER: &[u8] = b"-._~!$&'()*+,;=:";
/// … in a path …
const PATH: &[u8] = b"-._~!$&'()*+,;=:@/";
/// … in a query or a fragment.
const QUERY: &[u8] = b"-._~!$&'()*+,;=:@/?";

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(|b| is_one_of(b, b"+-."))
}

/// What stands between the scheme and the query: an authority and a path, or a path alone.
fn is_hierarchy(hierarchy: &str) -> bool {
    let Some(rest) = hierarchy.strip_prefix("//") else { return is_escaped(hierarchy, PATH) };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    is_authority(authority) && is_escaped(path, PATH)
}

fn is_authority(authority: &str) -> bool {
    let (user, host_and_port) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (is_host, port) = match host_and_port.strip_prefix('[') {
        Some(literal) => match literal.split_once(']') {
            Some((address, port)) => (is_address(address), port),
            None => return false,
        },
        None => {
            let host = host_and_port.split(':').next().unwrap_or_default();
            (is_escaped(host, NAME), &host_and_port[host.len()..])
        }
    };
    is_host && is_port(port) && is_escaped(user, USER)
}

/// Nothing, or a colon and digits.
fn is_port(port: &str) -> bool {
    port.is_empty() || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What may stand in brackets: an IPv6 address, or `v1.something` of an IP yet to come.
fn is_address(address: &str) -> bool {
    let Some(future) = address.strip_prefix(['v', 'V']) else { return address.parse::<Ipv6Addr>().is_ok() };
    let Some((version, rest)) = future.split_once('.') else { return false };
    let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_version && !rest.is_empty() && rest.bytes().all(|byte| is_one_of(byte, USER))
}

/// Whether there are only letters, digits, `others`, and percent-escapes.
fn is_escaped(text: &str, others: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let is_hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
        let is_allowed =
            if byte == b'%' { is_hex(bytes.next()) && is_hex(bytes.next()) } else { is_one_of(byte, others) };
        if !is_allowed {
            return false;
        }
    }
    true
}

fn is_one_of(byte: u8, others: &[u8]) -> bool {
    byte.is_ascii_alphanumeric() || others.contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_alone_is_blank() {
        for text in ["", " ", "\t\r\n", "\u{a0}\u{2003}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["a", " a ", "\u{200b}", "0"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn addresses_are_dot_atoms_at_domains() {
        let local = "a".repeat(MAX_LOCAL_PART);
        for text in
            ["a@b", "jan.kowalski+offers@example.com", "o'hara@sub.example.co.uk", &format!("{local}@example.com")]
        {
            assert!(is_email(text), "{text}");
        }
        let long_label = "a".repeat(MAX_LABEL + 1);
        let long = format!("a@{}com", "example.".repeat(32));
        let others = [
            "",
            "a",
            "@",
            "a@",
            "@b",
            "a@b@c",
            "a b@c",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a@b.",
            "a@.b",
            "a@b..c",
            "a@-b.c",
            "a@b-.c",
            "a@b_c",
            "a@[127.0.0.1]",
            "\"a\"@b",
            "łukasz@example.com",
            "a@zażółć.pl",
            "<a@b>",
            "a@b\n",
            &format!("{local}a@example.com"),
            &format!("a@{long_label}.com"),
            &long,
        ];
        for text in others {
            assert!(!is_email(text), "{text}");
        }
    }

    #[test]
    fn uris_of_rfc_3986_are_accepted() {
        let texts = [
            "https://example.com",
            "http://user:pass@example.com:8080/a/b;c=1?q=%20x&y=?/#frag/?",
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "http://[::ffff:192.0.2.1]:80/",
            "http://[v1.fe80::a+en1]/",
            "mailto:John.Doe@example.com",
            "news:comp.infosystems.www.servers.unix",
            "tel:+1-816-555-1212",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "file:///etc/hosts",
            "http://example.com:",
            "a+b-c.d:x",
        ];
        for text in texts {
            assert!(is_uri(text), "{text}");
        }
    }

    #[test]
    fn everything_else_is_no_uri() {
        let texts = [
            "",
            "example.com",
            "/a/b",
            "//example.com/a",
            "://example.com",
            "1http://example.com",
            "ht_tp://example.com",
            "http://exam ple.com",
            "http://example.com/a b",
            "http://example.com/%2",
            "http://example.com/%zz",
            "http://example.com/ż",
            "http://żółw.pl",
            "http://[::1",
            "http://::1]/",
            "http://[::g]/",
            "http://[1.2.3.4]/",
            "http://[v1]/",
            "http://[v.a]/",
            "http://[::1]x/",
            "http://example.com:80a/",
            "http://a@b@c/",
            "http://example.com/[a]",
            "http://example.com/#a#b",
            "http://example.com/<a>",
            "http://example.com/\"",
            "http://example.com/\\",
            "http://example.com/^",
            "http://example.com\n",
        ];
        for text in texts {
            assert!(!is_uri(text), "{text}");
        }
    }
}
