//! A page of a collection while it is written: one buffer from the first byte of the response to the last.

use super::StoreError;
use crate::plan::form::write_text;
use crate::plan::render::MAX_PAGE_BYTES;

/// Capacity that a finished page may keep unused.
const MAX_UNUSED_BYTES: usize = 64 * 1024;

/// A collection response (§2.4.13) that is being written.
#[derive(Debug)]
pub(crate) struct PageWriter {
    out: Vec<u8>,
    rows: u32,
}

/// How far a page was written at some moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageMark {
    length: usize,
    rows: u32,
}

impl PageWriter {
    /// A page of the collection with this name, with room for this number of bytes.
    pub(crate) fn new(name: &str, room: usize) -> Self {
        let mut out = Vec::with_capacity(room.min(MAX_PAGE_BYTES));
        out.push(b'{');
        write_text(name.as_bytes(), &mut out);
        out.extend_from_slice(b":[");
        Self { out, rows: 0 }
    }

    /// Adds an entity. A page that has become too large is refused.
    pub(crate) fn add<E>(&mut self, entity: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> Result<(), E>
    where
        E: From<StoreError>,
    {
        if self.rows > 0 {
            self.out.push(b',');
        }
        entity(&mut self.out)?;
        if self.out.len() > MAX_PAGE_BYTES {
            let fits = self.rows as usize;
            return Err(StoreError::PageTooLarge { max_bytes: MAX_PAGE_BYTES, fits }.into());
        }
        self.rows += 1;
        Ok(())
    }

    /// How many entities it has.
    pub(super) fn rows(&self) -> u32 {
        self.rows
    }

    /// How far it is written.
    pub(super) fn mark(&self) -> PageMark {
        PageMark { length: self.out.len(), rows: self.rows }
    }

    /// Forgets what was written since.
    pub(super) fn rewind(&mut self, to: PageMark) {
        self.out.truncate(to.length);
        self.rows = to.rows;
    }

    /// The whole response. `count`: how many entities match, where that is shown.
    pub(crate) fn finish(self, count: Option<u64>) -> Vec<u8> {
        let mut out = self.out;
        out.push(b']');
        if let Some(count) = count {
            out.extend_from_slice(b",\"count\":");
            out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
        }
        out.push(b'}');
        if out.capacity() - out.len() > out.len().max(MAX_UNUSED_BYTES) {
            out.shrink_to_fit();
        }
        out
    }
}

/// One entity, rendered, unless it is too large: its arrays refer to many others, which are shown in it.
pub(super) fn whole(body: Vec<u8>) -> Result<Vec<u8>, StoreError> {
    match body.len() {
        ..=MAX_PAGE_BYTES => Ok(body),
        _ => Err(StoreError::TooCostly("let the entity refer to fewer others".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(page: &mut PageWriter, entity: &[u8]) -> Result<(), StoreError> {
        page.add(|out| {
            out.extend_from_slice(entity);
            Ok(())
        })
    }

    #[test]
    fn a_page_is_written_into_one_buffer() {
        let mut page = PageWriter::new("offers", 1024);
        add(&mut page, b"1").unwrap();
        let mark = page.mark();
        add(&mut page, b"2").unwrap();
        page.rewind(mark);
        add(&mut page, b"3").unwrap();
        assert_eq!(page.rows(), 2);
        let start = page.out.as_ptr();
        let body = page.finish(Some(7));
        assert_eq!(body, br#"{"offers":[1,3],"count":7}"#);
        assert_eq!(body.as_ptr(), start, "nothing is copied");
    }

    #[test]
    fn a_page_that_is_too_large_says_what_fits() {
        let mut page = PageWriter::new("offers", 0);
        let entity = vec![b'x'; MAX_PAGE_BYTES / 3];
        add(&mut page, &entity).unwrap();
        add(&mut page, &entity).unwrap();
        let refused = add(&mut page, &entity).unwrap_err();
        assert_eq!(refused, StoreError::PageTooLarge { max_bytes: MAX_PAGE_BYTES, fits: 2 });
    }

    #[test]
    fn a_page_keeps_no_more_memory_than_it_needs() {
        let mut page = PageWriter::new("offers", 0);
        add(&mut page, &vec![b'x'; 3 << 20]).unwrap();
        page.rewind(PageMark { length: 11, rows: 0 });
        assert!(page.finish(None).capacity() < MAX_UNUSED_BYTES);
    }
}
