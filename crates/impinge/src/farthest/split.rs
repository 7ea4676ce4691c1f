//! Where a cell is divided, and its parts.
use super::{
    cell::{Cell, CellState, Split},
    faces::{Triangle, distance},
    sample::SampleSide,
    search::{Row, Search},
    sides::Fate,
};
use crate::vector::{Vector, dot, sub};

/// So many divisions in a row are anywhere; then one is at the middle of the longest edge, so that cells get
/// small.
const UNEVEN: u8 = 5;
/// Not nearer to an end.
const LEAST: f64 = 1e-3;

impl Search<'_, '_> {
    /// Divides a cell, or finds that it does not matter.
    pub(super) fn divide(&mut self, mut cell: Cell) {
        let (rows, count, best) = self.rows(&cell);
        let (rows, row) = (&rows[..count], rows[best]);
        let worst = (0..3).fold(0, |worst, k| if row.from[k] > row.from[worst] { k } else { worst });
        let mut split = None;
        if cell.state == CellState::Open {
            let sides = cell.corners.map(|number| self.side_of(number));
            if sides[worst] == SampleSide::Other || !sides.contains(&SampleSide::Counts) {
                match self.fate(&cell) {
                    Fate::Bounded(bound) => return self.drop_cell(bound.min(cell.bound)),
                    Fate::Counts(centre) => {
                        self.measure(centre, cell.face, cell.hints[0]);
                        let face = self.memory.samples[centre as usize].face;
                        cell.state = CellState::Counts;
                        if face != cell.hints[0] {
                            cell.hints = [face, cell.hints[0]];
                        }
                        cell.bound = cell.bound.min(self.bound_of(&mut cell));
                        return self.push(cell);
                    }
                    Fate::Crossed(at) => split = Some(at),
                    Fate::Unknown => (),
                }
            }
        }
        let at = self.corners(&cell);
        let longest = longest(&at);
        let split = match split {
            None if cell.uneven < UNEVEN => self.even(&cell, rows, (best, worst)),
            split => split,
        };
        let split = split.filter(|split| (LEAST..=1.0 - LEAST).contains(&split.s));
        let uneven = if split.is_some() { cell.uneven + 1 } else { 0 };
        let Split { ends: [i, j], s } = split.unwrap_or(longest);
        let middle = [0, 1, 2].map(|k| at[i][k] + s * (at[j][k] - at[i][k]));
        let number = self.sample(middle);
        self.measure(number, cell.face, cell.hints[0]);
        for end in [i, j] {
            let mut part = Cell { depth: cell.depth + 1, uneven, ..cell };
            part.corners[end] = number;
            part.bound = cell.bound.min(self.bound_of(&mut part));
            self.push(part);
        }
    }

    /// Where the best face and another one are equally far, along the edge where that matters most.
    fn even(&mut self, cell: &Cell, rows: &[Row], (best, worst): (usize, usize)) -> Option<Split> {
        let own = rows[best];
        let mut found: Option<(f64, u32, usize)> = None;
        for other in rows {
            let gain = own.from[worst] - other.from[worst];
            for end in (0..3).filter(|&end| end != worst) {
                let least = gain.min(other.from[end] - own.from[end]);
                if least > self.frame.pad && found.is_none_or(|(most, ..)| least > most) {
                    found = Some((least, other.face, end));
                }
            }
        }
        let (_, other, end) = found?;
        let at = self.corners(cell);
        let faces = [self.face_of_b(own.face), self.face_of_b(other)];
        let (p, q) = (at[end], at[worst]);
        if let Some((on, normal)) = bisector(&faces) {
            let [a, b] = [p, q].map(|x| dot(normal, sub(x, on)));
            if a * b < 0.0 {
                return Some(Split { ends: [end, worst], s: a / (a - b) });
            }
        }
        // By regula falsi (Illinois): the difference is negative at the one end and positive at the other.
        let value = |s: f64| {
            let x = [0, 1, 2].map(|k| p[k] + s * (q[k] - p[k]));
            distance(&x, &faces[0]) - distance(&x, &faces[1])
        };
        let (mut lo, mut hi) = ((0.0, value(0.0)), (1.0, value(1.0)));
        let span = (hi.1 - lo.1).abs();
        for _ in 0..6 {
            let s = lo.0 - lo.1 * (hi.0 - lo.0) / (hi.1 - lo.1);
            let v = value(s);
            if v.abs() <= 1e-6 * span {
                return Some(Split { ends: [end, worst], s });
            }
            if v < 0.0 {
                lo = (s, v);
                hi.1 *= 0.5;
            } else {
                hi = (s, v);
                lo.1 *= 0.5;
            }
        }
        Some(Split { ends: [end, worst], s: 0.5 * (lo.0 + hi.0) })
    }
}

/// A point and the normal of the plane in whose mirror faces with a common edge lie across each other: points
/// of it are equally far from both, wherever these are. Of two halves of a flat side it passes through their
/// diagonal, near which both are so nearly as far that no search finds it.
fn bisector(faces: &[Triangle; 2]) -> Option<(Vector, Vector)> {
    let is_common = |p: &Vector, face: &Triangle| face.contains(p);
    let mut ends = faces[0].iter().filter(|p| is_common(p, &faces[1]));
    let (&p, &q) = (ends.next()?, ends.next()?);
    let along = sub(q, p);
    let unit = |t: usize| {
        let other = faces[t].iter().find(|x| !is_common(x, &faces[1 - t]))?;
        let w = sub(*other, p);
        let s = dot(w, along) / dot(along, along);
        let across = [0, 1, 2].map(|k| w[k] - s * along[k]);
        let length = dot(across, across).sqrt();
        (length > 0.0).then(|| across.map(|x| x / length))
    };
    Some((p, sub(unit(0)?, unit(1)?)))
}

/// The middle of the longest edge.
fn longest(at: &[[f64; 3]; 3]) -> Split {
    let square = |i: usize, j: usize| {
        let w = sub(at[i], at[j]);
        dot(w, w)
    };
    let (mut ends, mut most) = ([0, 1], square(0, 1));
    for [i, j] in [[1, 2], [2, 0]] {
        if square(i, j) > most {
            (ends, most) = ([i, j], square(i, j));
        }
    }
    Split { ends, s: 0.5 }
}
