//! [`Sheet`]: columns and rows.
use super::{
    cell::{Cell, Style, letters},
    namespaces::{MAIN, RELATIONS, XML},
};
use std::io::{self, Write};

/// Maximum number of rows of a sheet, the header included.
pub(super) const MOST_ROWS: usize = 1 << 20;

/// A row: a cell for each column.
pub(super) type SheetRow<'a> = Vec<Cell<'a>>;

/// Columns and rows. Rows are made when they are written.
pub(super) struct Sheet<'a> {
    pub(super) title: &'static str,
    pub(super) columns: Vec<Column>,
    /// Number of rows without the header.
    pub(super) count: usize,
    pub(super) row: Box<dyn Fn(usize) -> SheetRow<'a> + 'a>,
    /// Number of rows, from the first, that have a picture in the first column.
    pub(super) pictures: usize,
}

pub(super) struct Column {
    heading: String,
    /// Width in characters.
    width: u32,
}

impl Column {
    pub(super) fn new(heading: impl Into<String>, width: u32) -> Self {
        Self { heading: heading.into(), width }
    }
}

/// Height in points of a row with a picture of 128 pixels.
const PICTURE_ROW: u32 = 99;

impl<'a> Sheet<'a> {
    pub(super) fn pages(&self) -> usize {
        self.pages_of(MOST_ROWS)
    }
    fn pages_of(&self, most: usize) -> usize {
        self.count.div_ceil(most - 1).max(1)
    }
    pub(super) fn name(&self, page: usize) -> String {
        if page == 0 { self.title.to_owned() } else { format!("{} {}", self.title, page + 1) }
    }
    fn rows(&self, page: usize) -> std::ops::Range<usize> {
        let start = page * (MOST_ROWS - 1);
        start..self.count.min(start + MOST_ROWS - 1)
    }
    /// The cells of a page, header included.
    pub(super) fn area(&self, page: usize) -> String {
        let last = letters(self.columns.len() - 1);
        format!("$A$1:${last}${}", self.rows(page).len() + 1)
    }
    pub(super) fn write(&self, page: usize, is_first: bool, out: &mut impl Write) -> io::Result<()> {
        let pictures = if page == 0 { self.pictures } else { 0 };
        let selected = if is_first { " tabSelected=\"1\"" } else { "" };
        write!(
            out,
            "{}<worksheet xmlns=\"{}\" xmlns:r=\"{}\"><sheetViews><sheetView{selected} workbookViewId=\"0\"><pane \
             ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>\
             <sheetFormatPr defaultRowHeight=\"15\"/><cols>",
            XML, MAIN, RELATIONS
        )?;
        for (i, column) in (1..).zip(&self.columns) {
            write!(out, "<col min=\"{i}\" max=\"{i}\" width=\"{}\" customWidth=\"1\"/>", column.width)?;
        }
        write!(out, "</cols><sheetData><row r=\"1\">")?;
        for (i, column) in self.columns.iter().enumerate() {
            Cell::text(&*column.heading).write(i, 1, Style::Header, out)?;
        }
        write!(out, "</row>")?;
        for (number, index) in (2..).zip(self.rows(page)) {
            let height = if index < pictures {
                format!(" ht=\"{PICTURE_ROW}\" customHeight=\"1\"")
            } else {
                String::new()
            };
            write!(out, "<row r=\"{number}\"{height}>")?;
            for (i, cell) in (self.row)(index).iter().enumerate() {
                cell.write(i, number, cell.style(), out)?;
            }
            write!(out, "</row>")?;
        }
        let area = self.area(page).replace('$', "");
        write!(out, "</sheetData><autoFilter ref=\"{area}\"/>")?;
        if pictures > 0 {
            write!(out, "<drawing r:id=\"rId1\"/>")?;
        }
        write!(out, "</worksheet>")
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Column, MOST_ROWS, Sheet};

    fn sheet(count: usize) -> Sheet<'static> {
        let row = Box::new(|i| vec![Cell::Count(i as u64)]);
        Sheet { title: "Clashes", columns: vec![Column::new("n", 9)], count, row, pictures: 0 }
    }

    #[test]
    fn long_lists_go_on_in_further_sheets() {
        let most = MOST_ROWS - 1;
        for (count, pages) in [(0, 1), (1, 1), (most, 1), (most + 1, 2), (3 * most, 3)] {
            assert_eq!(sheet(count).pages(), pages, "{count}");
        }
        let long = sheet(2 * most + 3);
        assert_eq!([0, 1, 2].map(|page| long.name(page)), ["Clashes", "Clashes 2", "Clashes 3"]);
        assert_eq!(long.area(0), "$A$1:$A$1048576");
        let mut xml = Vec::new();
        long.write(2, false, &mut xml).unwrap();
        let xml = String::from_utf8(xml).unwrap();
        assert_eq!(xml.matches("<row ").count(), 4);
        assert!(xml.contains(&format!("<c r=\"A2\" s=\"0\"><v>{}</v></c>", 2 * most)), "{xml}");
        assert!(xml.contains("<autoFilter ref=\"A1:A4\"/>"), "{xml}");
    }
}
