//! The convex cells into which planes cut a box.
use super::numbers::{LARGEST, Plane, RationalPoint};

/// Set of planes: bit i is plane i.
pub(super) type Planes = u128;

/// A corner of a cell, and planes through it: all that bound the cell there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) at: RationalPoint,
    pub(super) on: Planes,
}

/// A convex cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) corners: Vec<Corner>,
    /// A point inside.
    pub(super) inside: RationalPoint,
    /// The planes with a positive value there.
    pub(super) above: Planes,
}

/// Planes, and the cells between them.
#[derive(Debug)]
pub(super) struct Arrangement {
    pub(super) planes: Vec<Plane>,
    pub(super) cells: Vec<Cell>,
}

/// Maximum number of planes.
const MOST: usize = 120;

impl Arrangement {
    /// The cells between the given planes, in a box with all corners in its interior. `None` if there are too
    /// many planes, or a cell is too thin.
    pub(super) fn new(all: impl IntoIterator<Item = Plane>) -> Option<Self> {
        let axis = |k: usize| [0, 1, 2].map(|i| i128::from(i == k));
        let wall = i128::from(LARGEST + 1);
        let mut planes: Vec<Plane> =
            (0..6).map(|i| Plane::new(axis(i / 2), if i % 2 == 0 { wall } else { -wall })).collect();
        for plane in all {
            if !planes.contains(&plane) {
                planes.push(plane);
            }
        }
        if planes.len() > MOST {
            return None;
        }
        let corner = |i: usize| {
            let sides = [0, 1, 2].map(|k| 2 * k + (i >> k & 1));
            let on = sides.into_iter().fold(0, |on, side| on | 1 << side);
            Some(Corner { at: Plane::common(sides.map(|side| &planes[side]))?, on })
        };
        let mut cells = vec![(0..8).map(corner).collect::<Option<Vec<_>>>()?];
        for i in 6..planes.len() {
            let mut next = Vec::with_capacity(cells.len() + 8);
            for cell in cells {
                match cut(&planes, i, &cell) {
                    Some(halves) => next.extend(halves),
                    None => next.push(cell),
                }
            }
            cells = next;
        }
        let cells = cells.into_iter().map(|corners| finish(&planes, corners)).collect::<Option<_>>()?;
        Some(Self { planes, cells })
    }
    /// The numbers of the cells whose closure contains the point.
    pub(super) fn around(&self, p: &RationalPoint) -> impl Iterator<Item = usize> {
        let (mut above, mut on) = (0, 0);
        for (i, plane) in self.planes.iter().enumerate() {
            let value = plane.value(p);
            above |= Planes::from(value > 0) << i;
            on |= Planes::from(value == 0) << i;
        }
        (0..self.cells.len()).filter(move |&i| (self.cells[i].above ^ above) & !on == 0)
    }
}

/// The two parts of a cell on both sides of plane i. `None` if the cell is on one side of it.
fn cut(planes: &[Plane], i: usize, cell: &[Corner]) -> Option<[Vec<Corner>; 2]> {
    let values: Vec<i128> = cell.iter().map(|corner| planes[i].value(&corner.at)).collect();
    if !(values.iter().any(|&v| v < 0) && values.iter().any(|&v| v > 0)) {
        return None;
    }
    let mut halves = [Vec::new(), Vec::new()];
    for (corner, &value) in cell.iter().zip(&values) {
        let on = if value == 0 { corner.on | 1 << i } else { corner.on };
        for (half, is_here) in halves.iter_mut().zip([value <= 0, value >= 0]) {
            if is_here {
                half.push(Corner { on, ..*corner });
            }
        }
    }
    for (u, _) in cell.iter().zip(&values).filter(|(_, value)| **value < 0) {
        for (v, _) in cell.iter().zip(&values).filter(|(_, value)| **value > 0) {
            let common = u.on & v.on;
            if is_edge(cell, common) {
                let at = meeting(planes, i, common)?;
                let corner = Corner { at, on: common | 1 << i };
                halves.iter_mut().for_each(|half| half.push(corner));
            }
        }
    }
    Some(halves)
}

/// True if corners with these planes in common are the ends of an edge: no third corner is on all of them.
pub(super) fn is_edge(cell: &[Corner], common: Planes) -> bool {
    common.count_ones() >= 2 && cell.iter().filter(|w| w.on & common == common).count() == 2
}

/// The intersection of the common line of several planes with plane i.
fn meeting(planes: &[Plane], i: usize, line: Planes) -> Option<RationalPoint> {
    let all: Vec<&Plane> = bits(line).map(|k| &planes[k]).collect();
    let pairs = all.iter().enumerate().flat_map(|(k, p)| all[..k].iter().map(move |q| [*p, *q]));
    pairs.into_iter().find_map(|[p, q]| Plane::common([p, q, &planes[i]]))
}

/// The numbers of the bits that are set.
pub(super) fn bits(mut set: Planes) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (least < Planes::BITS).then_some(least as usize)
    })
}

/// Finds a point inside: the rounded mean of the corners. It is then proved to be on the cell's side of all
/// planes that touch the cell.
fn finish(planes: &[Plane], corners: Vec<Corner>) -> Option<Cell> {
    let mut mean = [0.0; 3];
    for corner in &corners {
        let at = corner.at.rounded();
        (0..3).for_each(|k| mean[k] += at[k] / corners.len() as f64);
    }
    let (mut above, mut facets) = (0, 0);
    for (i, plane) in planes.iter().enumerate() {
        let value = corners.iter().map(|corner| plane.value(&corner.at)).find(|&value| value != 0)?;
        above |= Planes::from(value > 0) << i;
        facets |= Planes::from(corners.iter().any(|corner| corner.on >> i & 1 == 1)) << i;
    }
    // Coordinates have 11 + 40 bits. With the 23 of a plane, values have fewer than 128.
    [12, 26, 40].into_iter().find_map(|shift| {
        let w = 1_i128 << shift;
        let inside = RationalPoint { x: mean.map(|x| (x * w as f64).round() as i128), w };
        let is_inside = bits(facets).all(|i| {
            let value = planes[i].value(&inside);
            value != 0 && (value > 0) == (above >> i & 1 == 1)
        });
        is_inside.then(|| Cell { corners: corners.clone(), inside, above })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n planes in general position through a box make 1 + n + n (n - 1) / 2 + n (n - 1) (n - 2) / 6 cells,
    /// if all their corners are inside it.
    #[test]
    fn planes_in_general_position_make_as_many_cells_as_they_must() {
        let planes = [
            ([1, 0, 0], 0),
            ([0, 1, 0], 0),
            ([0, 0, 1], 0),
            ([1, 1, 1], -5),
            ([2, -1, 3], 7),
            ([3, 5, -1], 11),
            ([-4, 1, 6], -13),
        ];
        for n in 0..=planes.len() {
            let made = planes[..n].iter().map(|&(normal, d)| Plane::new(normal, d));
            let cells = Arrangement::new(made).unwrap().cells;
            let n = n as i64;
            let want = 1 + n + n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 6;
            assert_eq!(cells.len() as i64, want, "{n} planes");
            // No two cells are on the same side of every plane.
            let mut sides: Vec<_> = cells.iter().map(|cell| cell.above).collect();
            sides.sort_unstable();
            sides.dedup();
            assert_eq!(sides.len(), cells.len());
        }
    }

    #[test]
    fn many_planes_through_one_line_or_point() {
        let line = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, -1, 0]].map(|n| Plane::new(n, 0));
        let all = Arrangement::new(line).unwrap();
        assert_eq!(all.cells.len(), 8);
        assert_eq!(all.around(&RationalPoint::integer([0, 0, 9])).count(), 8);
        assert_eq!(all.around(&RationalPoint::integer([0, 3, 9])).count(), 2);
        assert_eq!(all.around(&RationalPoint::integer([1, 3, 9])).count(), 1);
        let point = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]].map(|n| Plane::new(n, 0));
        assert_eq!(Arrangement::new(point).unwrap().cells.len(), 14);
    }
}
