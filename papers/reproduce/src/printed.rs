//! Numbers printed in the papers, a file per paper: the only numbers in this crate that were not measured.
//! Bergen97's tables lost their digits in the text that we have, and Hu16 prints only curves.
pub(crate) mod larsson08;
pub(crate) mod zachmann02;
