//! How two volumes are compared.

impinge::choice! {
    /// How two volumes are compared, where there is a choice.
    pub enum Overlap {
        /// The volume's own best.
        #[default]
        Auto = "auto",
        /// The 6 face normals: more pairs, cheaper tests (van den Bergen 1997, section 3).
        SatLite = "sat-lite",
        /// All 15: the 9 cross products of edges, too (Gottschalk, Lin and Manocha 1996).
        Sat = "sat",
        /// The normals of the resting volume alone (Zachmann 2002, section 3.2.1).
        Axis = "axis",
        /// The same with products from tables, which are made once a query (section 3.2.2).
        Lookup = "lookup",
    }
}
