//! Larsson and Akenine-Moller 2008: Tables 2 and 3 and section 5.

/// A volume's part of a row of Table 3: mean ms, Nv and Np of a frame, on an Intel T2600.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) ms: f64,
    pub(crate) volume_tests: u64,
    pub(crate) triangle_tests: u64,
}

/// A row of Table 3.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedRow {
    pub(crate) scene: &'static str,
    /// Triangles of each model, from Table 2.
    pub(crate) triangles: [u64; 2],
    /// BallTree, SCBTree, OBBTree.
    pub(crate) trees: [Entry; 3],
}

const fn row(scene: &'static str, triangles: [u64; 2], trees: [(f64, u64, u64); 3]) -> PrintedRow {
    const fn entry((ms, volume_tests, triangle_tests): (f64, u64, u64)) -> Entry {
        Entry { ms, volume_tests, triangle_tests }
    }
    PrintedRow { scene, triangles, trees: [entry(trees[0]), entry(trees[1]), entry(trees[2])] }
}

pub(crate) const TABLE_3: [PrintedRow; 7] = [
    row("Spheres-L1", [20_480, 20_480], [(8.0, 99_733, 10_585), (3.3, 21_412, 2112), (4.9, 13_350, 1135)]),
    row("Spheres-L2", [81_920, 81_920], [(16.4, 200_235, 20_776), (6.5, 42_295, 4419), (9.2, 24_835, 2240)]),
    row("Knots-L1", [3528, 3672], [(9.7, 68_543, 15_503), (1.8, 13_005, 63), (3.0, 8731, 0)]),
    row("Knots-L2", [6860, 7140], [(12.5, 121_316, 31_703), (1.7, 14_189, 53), (2.4, 9047, 0)]),
    row("Knots-L3", [10_976, 11_424], [(18.4, 175_479, 49_840), (1.8, 14_367, 33), (2.5, 9365, 0)]),
    row("Horses", [96_966, 96_966], [(8.6, 93_193, 12_709), (5.8, 39_469, 4773), (8.4, 23_200, 1748)]),
    row(
        "Hands",
        [654_666, 654_666],
        [(101.4, 1_028_875, 161_923), (62.1, 387_257, 53_083), (83.2, 239_346, 17_522)],
    ),
];

/// Section 5: SCBs against balls and against OBBs in frames 244 to 256 of Spheres-L1 and Spheres-L2.
pub(crate) const CLOSE_SPEED_UP: [[f64; 2]; 2] = [[29.7, 1.7], [38.6, 1.7]];

/// Section 5: additional cost of Ritter's balls over the better ones in Spheres, Knots, Horses and Hands, in
/// percent.
pub(crate) const RITTER_PERCENT: [f64; 4] = [18.0, 2.0, 12.0, 10.0];

/// Operations of an overlap test that finds no separation, the second volume's transform included: SCBs
/// (Table 1) and OBBs (section 4).
pub(crate) const OPERATIONS: [(&str, u64); 2] = [("scb", 99), ("obb", 252)];

/// Bytes of a slab cut ball (section 1.1) in its two forms.
pub(crate) const BYTES: [(&str, u64); 2] = [("scb", 36), ("scb26", 26)];
