//! Extremal points along 13 directions: a 26-DOP with the points that it touches (Larsson and Akenine-Moller
//! 2008, section 2).
use impinge::hierarchy::Vector;

/// Half of the directions with components in {0, 1, -1}: axes, face diagonals and cube diagonals.
pub(crate) const DIRECTIONS: [Vector; 13] = [
    [1., 0., 0.],
    [0., 1., 0.],
    [0., 0., 1.],
    [1., 1., 0.],
    [1., -1., 0.],
    [1., 0., 1.],
    [1., 0., -1.],
    [0., 1., 1.],
    [0., 1., -1.],
    [1., 1., 1.],
    [1., 1., -1.],
    [1., -1., 1.],
    [1., -1., -1.],
];

/// Finds the points furthest against and along each direction.
pub fn extremal_points(mut points: impl Iterator<Item = Vector>) -> [[Vector; 2]; 13] {
    let first = points.next().unwrap_or([0.0; 3]);
    let dot = |d: &Vector, p: &Vector| d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
    let mut ends: [[(f64, Vector); 2]; 13] = DIRECTIONS.map(|d| [(dot(&d, &first), first); 2]);
    for p in points {
        for (d, [low, high]) in DIRECTIONS.iter().zip(&mut ends) {
            let x = dot(d, &p);
            if x < low.0 {
                *low = (x, p);
            }
            if x > high.0 {
                *high = (x, p);
            }
        }
    }
    ends.map(|pair| pair.map(|(_, p)| p))
}
