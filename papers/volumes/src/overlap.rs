//! Overlap tests of two volumes.

impinge::choice! {
    /// Overlap test of two volumes, for kinds that support several.
    pub enum Overlap {
        /// The best test of the volume.
        #[default]
        Auto = "auto",
        /// The 6 face normals: more pairs, cheaper tests (van den Bergen 1997, section 3).
        SatLite = "sat-lite",
        /// All 15 axes, the 9 cross products of edges included (Gottschalk, Lin and Manocha 1996).
        Sat = "sat",
        /// The normals of the resting volume only (Zachmann 2002, section 3.2.1).
        Axis = "axis",
        /// The test of [`Axis`](Self::Axis) with products from tables, made once per query (section 3.2.2).
        Lookup = "lookup",
    }
}
