//! [`Affine`], the map of a node or component.

/// A map x = `rows` v + `t`, as the file's hierarchy contains it. Its numbers may be infinite or NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) rows: [[f64; 3]; 3],
    pub(crate) t: [f64; 3],
}

impl Affine {
    pub(crate) const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], t: [0.0; 3] };

    /// Composition: `inner` first, then `self`. The product is rounded to f64; later steps treat it as exact.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        let rows = std::array::from_fn(|i| {
            std::array::from_fn(|j| (0..3).map(|k| self.rows[i][k] * inner.rows[k][j]).sum())
        });
        let t =
            std::array::from_fn(|i| (0..3).map(|k| self.rows[i][k] * inner.t[k]).sum::<f64>() + self.t[i]);
        Self { rows, t }
    }
    pub(crate) fn bits(&self) -> [u64; 12] {
        std::array::from_fn(|i| if i < 9 { self.rows[i / 3][i % 3] } else { self.t[i - 9] }.to_bits())
    }
}
