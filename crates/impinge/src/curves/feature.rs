//! Vertices, edges and triangles, named by vertices.

/// A vertex, an edge or a triangle of a mesh. Points of a mesh with equal coordinates are one vertex, named
/// by the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Feature {
    /// A point of the mesh.
    Vertex(u32),
    /// The edge between two points, the lesser number first.
    Edge([u32; 2]),
    /// A triangle.
    Triangle(u32),
}

impl Feature {
    pub(super) fn of(vertices: &Vertices, triangle: u32) -> Self {
        match *vertices {
            [v, NONE, _] => Self::Vertex(v),
            [v, w, NONE] => Self::Edge([v, w]),
            _ => Self::Triangle(triangle),
        }
    }
}

/// No vertex, or no node.
pub(super) const NONE: u32 = u32::MAX;

/// A feature by its vertices, sorted: the rest is [`NONE`].
pub(super) type Vertices = [u32; 3];

/// The feature with these corners of three, which are vertices.
#[inline]
pub(super) fn chosen(corners: &Vertices, carrier: u8) -> Vertices {
    let vertex = |k: usize| if carrier >> k & 1 == 1 { corners[k] } else { NONE };
    let (a, b, c) = (vertex(0), vertex(1), vertex(2));
    let (a, b) = (a.min(b), a.max(b));
    let (b, c) = (b.min(c), b.max(c));
    [a.min(b), a.max(b), c]
}
