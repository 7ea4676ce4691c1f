//! Links of a tree: to a node, or to the triangles of a leaf.
use std::ops::Range;

/// The link to a child: another node, or a range of triangles. 4 bits of count, 28 of index; stored as bytes,
/// so that a node of odd size needs no padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link([u8; 4]);

/// Target of a [`Link`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Inner(u32),
    /// Triangles `first .. first + count` in leaf order.
    Leaf {
        first: u32,
        count: u32,
    },
}

impl Link {
    const COUNT: u32 = 0xf;
    /// The largest number of triangles in a leaf; a count of 15 marks an empty slot.
    pub(crate) const MAX_LEAF: usize = 14;
    /// A slot that is not used.
    pub(crate) const NONE: Self = Self::new(Self::COUNT);

    const fn new(bits: u32) -> Self {
        Self(bits.to_le_bytes())
    }

    pub(crate) fn inner(node: usize) -> Self {
        assert!(node < 1 << 28, "a tree of more than 2^28 nodes");
        Self::new((node as u32) << 4)
    }
    pub(crate) fn leaf(first: usize, count: usize) -> Self {
        assert!(first < 1 << 28 && (1..=Self::MAX_LEAF).contains(&count), "a leaf that a link cannot name");
        Self::new((first as u32) << 4 | count as u32)
    }
    #[inline(always)]
    pub(crate) fn target(self) -> Target {
        debug_assert_ne!(self, Self::NONE);
        let bits = u32::from_le_bytes(self.0);
        match bits & Self::COUNT {
            0 => Target::Inner(bits >> 4),
            count => Target::Leaf { first: bits >> 4, count },
        }
    }
}

/// Range of a leaf in the leaf order.
#[inline(always)]
pub(crate) fn run(first: u32, count: u32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// The number of slots in use: they come first.
#[inline(always)]
pub(crate) fn used(links: &[Link]) -> usize {
    links.iter().position(|&link| link == Link::NONE).unwrap_or(links.len())
}
