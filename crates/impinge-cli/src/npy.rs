//! NumPy's `.npy` files, in the part that poses need: arrays of f64, versions 1 to 3 of the format.
//!
//! Two crates read the format. npyz 0.9.1 allocates the header by the count that the file claims and
//! multiplies the shape unchecked; ndarray-npy brings all of ndarray. Both read the header, three entries, by
//! a parser of Python's literals that brings big integers and a parser generator. So this module reads the
//! whole format itself, checked against the file's length.
//! Format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
mod header;

use self::header::Header;
use anyhow::{Context, bail};
use impinge_check::files;

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// Longer headers are refused, as NumPy itself does.
const MAX_HEADER: usize = 10_000;

/// An array of f64.
pub(crate) struct Array {
    shape: Vec<usize>,
    fortran_order: bool,
    /// As they lie in the file.
    values: Vec<f64>,
}

impl Array {
    /// Reads a whole file.
    pub(crate) fn parse(bytes: &[u8]) -> anyhow::Result<Self> {
        let (header, data) = split(bytes)?;
        let header = std::str::from_utf8(header).context("the header is not text")?;
        let Header { descr, fortran_order, shape } = Header::parse(header)?;
        let number: fn([u8; 8]) -> f64 = match descr.as_str() {
            "<f8" => f64::from_le_bytes,
            ">f8" => f64::from_be_bytes,
            other => {
                bail!("its numbers are '{}', not '<f8': save it with .astype('float64')", files::cut(other))
            }
        };
        let bytes_needed = shape.iter().try_fold(8_usize, |product, &n| product.checked_mul(n));
        if bytes_needed != Some(data.len()) {
            bail!("the shape {shape:?} does not fit the {} bytes that follow the header", data.len());
        }
        let values = data.as_chunks::<8>().0.iter().map(|&bytes| number(bytes)).collect();
        Ok(Self { shape, fortran_order, values })
    }

    /// The number of values along each axis.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values with the last index running fastest.
    pub(crate) fn values_in_c_order(self) -> Vec<f64> {
        if !self.fortran_order {
            return self.values;
        }
        (0..self.values.len())
            .map(|mut at| {
                // Take the indices off `at`, last axis first, and add up the file's place, first axis
                // fastest.
                let mut place = 0;
                for &n in self.shape.iter().rev() {
                    place = place * n + at % n;
                    at /= n;
                }
                self.values[place]
            })
            .collect()
    }
}

/// The header's text, and what follows it.
fn split(bytes: &[u8]) -> anyhow::Result<(&[u8], &[u8])> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        bail!("not an .npy file: it does not begin with \\x93NUMPY")
    };
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        [1..=3, ..] | [] => bail!("the file ends within the header"),
        [version, ..] => bail!("version {version} of the .npy format is unknown"),
    };
    if length > MAX_HEADER {
        bail!("the header claims {length} bytes; at most {MAX_HEADER} are read");
    }
    rest.split_at_checked(length).context("the file ends within the header")
}

#[cfg(test)]
mod tests {
    use super::Array;

    fn file(header: &str, values: &[f64]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        bytes
    }
    fn header(fortran: &str, shape: &str) -> String {
        format!("{{'descr': '<f8', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n")
    }
    fn error(bytes: &[u8]) -> String {
        match Array::parse(bytes) {
            Ok(_) => panic!("read without an error"),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn both_orders() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let c = Array::parse(&file(&header("False", "(2, 3)"), &values)).unwrap();
        assert_eq!(c.shape(), [2, 3]);
        assert_eq!(c.values_in_c_order(), values);
        // numpy.arange(6.).reshape((2, 3), order='F') is [[0, 2, 4], [1, 3, 5]].
        let fortran = Array::parse(&file(&header("True", "(2, 3)"), &values)).unwrap();
        assert_eq!(fortran.values_in_c_order(), [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]);
        // numpy.arange(12.).reshape((2, 3, 2), order='F').ravel()
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let cube = Array::parse(&file(&header("True", "(2, 3, 2)"), &values)).unwrap();
        assert_eq!(cube.values_in_c_order(), [0., 6., 2., 8., 4., 10., 1., 7., 3., 9., 5., 11.]);
    }

    #[test]
    fn both_byte_orders_and_all_versions() {
        let mut bytes = file(&header("False", "(1,)").replace('<', ">"), &[]);
        bytes.extend(2.5_f64.to_be_bytes());
        assert_eq!(Array::parse(&bytes).unwrap().values_in_c_order(), [2.5]);

        let text = header("False", "(1,)");
        for version in [2, 3] {
            let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.extend(2.5_f64.to_le_bytes());
            assert_eq!(Array::parse(&bytes).unwrap().values_in_c_order(), [2.5]);
        }
    }

    #[test]
    fn lies_are_refused() {
        let huge = header("False", "(9223372036854775808, 12)");
        assert!(error(&file(&huge, &[])).contains("does not fit the 0 bytes"));
        assert!(error(&file(&header("False", "(3,)"), &[1.0])).contains("does not fit the 8 bytes"));
        assert!(error(&file(&header("False", "(-1,)"), &[])).contains("'shape' makes no sense"));
        assert!(error(&file(&header("0", "(1,)"), &[])).contains("'fortran_order'"));
        assert!(error(&file(&header("False", "(1,)").replace("<f8", "<f4"), &[1.0])).contains("astype"));
        assert!(error(&file("{}", &[])).contains("no 'descr'"));
        assert!(error(&file("7", &[])).contains("not a dict"));
        assert!(error(&file(&"(".repeat(9_000), &[])).contains("not a dict"));
        assert!(error(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{").contains("claims 4294967295 bytes"));
        assert!(error(b"\x93NUMPY\x09\x00").contains("version 9"));
        assert!(error(b"\x93NUMPY\x01").contains("ends within"));
        assert!(error(b"\x93NUMPY").contains("ends within"));
        assert!(error(b"1 0 0 0").contains("not an .npy file"));
        let whole = file(&header("False", "(2, 3)"), &[0.0; 6]);
        for end in 0..whole.len() {
            error(&whole[..end]);
        }
    }
}
