//! Split rules of the builder.

impinge::choice! {
    /// Rule by which a builder cuts a set of triangles in two.
    pub enum Split {
        /// The rule that suits the volume.
        #[default]
        Auto = "auto",
        /// The middle of the longest side of the box. A triangle counts by the middle of its own extent along
        /// it. If all lie on one side, two halves by count (van den Bergen 1997, section 2).
        Midpoint = "midpoint",
        /// The cheapest of 15 planes on each axis by the surface area heuristic (Wald 2007, binned).
        Sah = "sah",
        /// The middle of the longest side of the box; a triangle counts by its centroid. If that is worse
        /// than 10 to 90, the other sides in turn, and then the median of 7 centroids at random from a fixed
        /// seed (Larsson and Akenine-Moller 2008, section 3).
        Centroid = "centroid",
        /// The mean of the centroids, along the longest side of the box that fits the triangles'
        /// area-weighted covariance, or else along the next longest. If none cuts, two halves by count
        /// (Gottschalk, Lin and Manocha 1996, section 4: RAPID).
        Mean = "mean",
        /// The least sum of the children's volumes, each grown greedily from a seed and cut off its parent by
        /// one plane, on any axis (Zachmann 2002, section 4).
        Restricted = "restricted",
        /// The cut of [`Restricted`](Self::Restricted), on the longest axis alone.
        RestrictedLongest = "restricted-longest",
        /// The cut of [`Restricted`](Self::Restricted), with planes at right angles, too. Each child is cut
        /// off across an axis of its own (Zachmann 2002, section 4.2, leaves this open).
        Perpendicular = "perpendicular",
        /// The cut of [`Restricted`](Self::Restricted), with the volumes of the grandchildren, by the best
        /// cuts of the children, added to the sum. This is the second level of the cost that Zachmann 2002
        /// estimates by its first (section 6.1). Builds take ten times as long.
        LookAhead = "look-ahead",
    }
}
