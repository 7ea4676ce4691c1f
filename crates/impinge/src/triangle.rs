//! Triangle against triangle: a floating-point filter in front, the exact stage behind it.
/// Array of an expression's values for 0, 1 and 2, written out so that vectors stay in registers.
macro_rules! three {
    ($k:ident => $each:expr) => {
        [
            {
                const $k: usize = 0;
                $each
            },
            {
                const $k: usize = 1;
                $each
            },
            {
                const $k: usize = 2;
                $each
            },
        ]
    };
}

pub(crate) mod closest;
pub(crate) mod contact;
pub(crate) mod decide;
pub(crate) mod double_double;
pub(crate) mod exact;
pub(crate) mod filter;
pub(crate) mod gap;
pub(crate) mod intersection;
pub(crate) mod lanes;
pub(crate) mod moving;
pub(crate) mod neighbours;
mod places;
pub(crate) mod same_pose;
