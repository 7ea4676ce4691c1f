//! Bounds of a cell, and the plane that divides it.
use super::{
    cell::{Cell, CellCorners, CellState, Row},
    facets::Facet,
    plane::DividingPlane,
    sample::SampleSide,
    search::FarthestSearch,
    sides::Fate,
};
use crate::vector::{Vector, dot, sub};

/// The most divisions in a row by planes of facets. Then one is across the middle, so that cells get small.
const UNEVEN: u8 = 5;
/// The least thickness of a part, relative to the other one. Coordinates of 9 digits leave slivers of 1e-9.
const LEAST: f64 = 1e-8;
/// Corners count as on a plane if they are nearer than this, relative to the farthest one.
const ON: f64 = 1e-9;

impl FarthestSearch<'_, '_> {
    /// Finds a better bound of a cell, drops it, or divides it.
    ///
    /// It measures the corner that is farthest from the cell's best facet. If another facet is nearer there,
    /// the cell is divided where both are equally near. Otherwise the bound is the distance of that corner;
    /// if the corner does not count, the cell is divided where a triangle crosses it.
    pub(super) fn refine(&mut self, mut cell: Cell) {
        let [first, second] = cell.rows;
        let mut number = cell.corners[usize::from(first.worst)];
        self.measure(number, cell.facet, first.facet);
        let near = self.memory.samples[number as usize].near;
        let near = self.facet_of(near);
        let mut other = None;
        if near != first.facet {
            let new = if near == second.facet { second } else { self.row(&cell, near) };
            cell.rows = if new.most < first.most { [new, first] } else { [first, new] };
            number = cell.corners[usize::from(cell.rows[0].worst)];
            other = Some(cell.rows[1].facet);
        }
        let best = cell.rows[0];
        let mut bound = best.most + self.frame.pad;
        let sample = self.memory.samples[number as usize];
        if cell.state == CellState::Open && sample.is_measured() && sample.side == SampleSide::Other {
            // The way from this corner to a point that counts leads through the surface, which is no nearer
            // to this corner than its `lo`.
            let far = cell.corners.iter().fold(0.0_f64, |far, &other| {
                let w = sub(self.at(other), sample.at);
                far.max(dot(w, w))
            });
            bound = bound.min((far.sqrt() - sample.lo).max(0.0) + 2.0 * self.frame.pad);
        }
        if bound < cell.bound {
            cell.bound = bound;
            return self.push(cell);
        }
        let mut plane = None;
        if cell.state == CellState::Open && self.side_of(number) != SampleSide::Counts {
            match self.fate(&cell, number) {
                Fate::Bounded(bound) => return self.drop_cell(bound.min(cell.bound)),
                Fate::Counts => {
                    cell.state = CellState::Counts;
                    return self.push(cell);
                }
                Fate::Crossed(by, t) => {
                    plane = Some(by);
                    let crossing = self.facet_of(t);
                    if crossing != best.facet {
                        cell.rows[1] = Row { facet: crossing, ..Row::NONE };
                    }
                }
                Fate::Unknown => (),
            }
        }
        if plane.is_none()
            && let Some(other) = other
        {
            plane = self.even(&cell, [best.facet, other], number);
        }
        let parts = plane.filter(|_| cell.uneven < UNEVEN).and_then(|plane| self.divided(&cell, plane));
        let (parts, uneven) = match parts {
            Some(parts) => (parts, cell.uneven + 1),
            None => (self.halves(&cell), 0),
        };
        for corners in parts.into_iter().filter(|corners| !corners.is_empty()) {
            let mut part = Cell { corners, depth: cell.depth + 1, uneven, ..cell };
            self.update_rows(&mut part);
            part.bound = cell.bound.min(part.rows[0].most + self.frame.pad);
            self.push(part);
        }
    }

    /// A plane where the best facet and another one, which is nearer to the sample `worst`, are equally far.
    fn even(&self, cell: &Cell, facets: [u32; 2], worst: u32) -> Option<DividingPlane> {
        let facets = facets.map(|number| self.facet(number));
        let value = |x: &Vector| facets[0].distance(x) - facets[1].distance(x);
        let q = self.at(worst);
        let at_worst = value(&q);
        // The corner to which the best facet is nearer by most.
        let mut least = (-self.frame.pad, None);
        for &number in cell.corners.iter() {
            let p = self.at(number);
            let v = value(&p);
            if v < least.0 {
                least = (v, Some(p));
            }
        }
        let (at_end, Some(p)) = least else { return None };
        if at_worst <= self.frame.pad || at_worst.is_nan() {
            return None;
        }
        if let Some(plane) = bisector(facets)
            && plane.height(&p) * plane.height(&q) < 0.0
        {
            return Some(plane);
        }
        // By regula falsi (Illinois): the difference is negative at the one end and positive at the other.
        let at = |s: f64| [0, 1, 2].map(|k| p[k] + s * (q[k] - p[k]));
        let (mut lo, mut hi) = ((0.0, at_end), (1.0, at_worst));
        let mut x = at(0.5);
        for _ in 0..8 {
            let s = lo.0 - lo.1 * (hi.0 - lo.0) / (hi.1 - lo.1);
            x = at(s);
            let v = value(&x);
            if v.abs() <= 1e-6 * (at_worst - at_end) {
                break;
            }
            if v < 0.0 {
                lo = (s, v);
                hi.1 *= 0.5;
            } else {
                hi = (s, v);
                lo.1 *= 0.5;
            }
        }
        // Both distances grow away from the feet.
        let away = facets.map(|facet| {
            let w = sub(x, facet.foot(&x));
            let length = dot(w, w).sqrt();
            if length > 0.0 { w.map(|c| c / length) } else { [0.0; 3] }
        });
        let normal = sub(away[0], away[1]);
        let along = sub(q, p);
        let is_across =
            dot(normal, normal) > 1e-6 && dot(normal, along).abs() > 1e-3 * dot(along, along).sqrt();
        Some(DividingPlane { on: x, normal: if is_across { normal } else { along } })
    }

    /// The parts on both sides of a plane; `None` if one is too thin, or has too many corners.
    fn divided(&mut self, cell: &Cell, plane: DividingPlane) -> Option<[CellCorners; 2]> {
        let count = cell.corners.len();
        let mut heights = [0.0; super::cell::MOST_CORNERS];
        let mut ends = [0.0_f64; 2];
        for (height, &number) in heights.iter_mut().zip(cell.corners.iter()) {
            *height = plane.height(&self.at(number));
            ends = [ends[0].min(*height), ends[1].max(*height)];
        }
        let most = ends[1].max(-ends[0]);
        if !(-ends[0] > LEAST * most && ends[1] > LEAST * most) {
            return None;
        }
        let side = |h: f64| {
            if h > ON * most {
                1
            } else if h < -ON * most {
                -1
            } else {
                0
            }
        };
        let mut parts = [CellCorners::default(); 2];
        for i in 0..count {
            let j = (i + 1) % count;
            let (h, k) = (heights[i], heights[j]);
            let number = cell.corners[i];
            let is_room = match side(h) {
                1 => parts[1].push(number),
                -1 => parts[0].push(number),
                _ => parts[0].push(number) && parts[1].push(number),
            };
            if !is_room {
                return None;
            }
            if side(h) * side(k) < 0 {
                let (p, q) = (self.at(number), self.at(cell.corners[j]));
                let s = h / (h - k);
                let new = self.sample([0, 1, 2].map(|k| p[k] + s * (q[k] - p[k])));
                if !(parts[0].push(new) && parts[1].push(new)) {
                    return None;
                }
            }
        }
        parts.iter().all(|part| part.len() >= 3).then_some(parts)
    }

    /// The parts on both sides of the middle of the longest diagonal or edge; if these have too many corners,
    /// the parts beside a diagonal.
    fn halves(&mut self, cell: &Cell) -> [CellCorners; 2] {
        let count = cell.corners.len();
        let mut best = (f64::NEG_INFINITY, [0, 1]);
        for i in 0..count {
            for j in 0..i {
                let w = sub(self.at(cell.corners[i]), self.at(cell.corners[j]));
                if dot(w, w) > best.0 {
                    best = (dot(w, w), [i, j]);
                }
            }
        }
        let [p, q] = best.1.map(|i| self.at(cell.corners[i]));
        let middle = [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
        if let Some(parts) = self.divided(cell, DividingPlane { on: middle, normal: sub(q, p) }) {
            return parts;
        }
        let mut parts = [CellCorners::default(); 2];
        if count <= 3 {
            // It has no thickness. It gets no smaller, but is dropped after the most divisions.
            return [cell.corners, parts[1]];
        }
        let across = count / 2;
        cell.corners[..=across].iter().for_each(|&number| _ = parts[0].push(number));
        cell.corners[across..].iter().chain(&cell.corners[..1]).for_each(|&number| _ = parts[1].push(number));
        parts
    }
}

/// The bisector of the angle between two facets with a common edge: its points are equally far from both. For
/// two parts of a flat side it passes through the edge between them, near which the distances are so nearly
/// equal that no search finds it.
fn bisector(facets: [&Facet; 2]) -> Option<DividingPlane> {
    let points = facets.map(|facet| facet.triangles().as_flattened());
    let mut common = points[0].iter().filter(|p| points[1].contains(p));
    let p = *common.next()?;
    let q = *common.find(|q| **q != p)?;
    let along = sub(q, p);
    // Across the edge to the corner that is farthest from it.
    let across = |points: &[Vector]| {
        let mut best = (0.0, [0.0; 3]);
        for x in points {
            let w = sub(*x, p);
            let s = dot(w, along) / dot(along, along);
            let across = [0, 1, 2].map(|k| w[k] - s * along[k]);
            let length = dot(across, across).sqrt();
            if length > best.0 {
                best = (length, across.map(|x| x / length));
            }
        }
        (best.0 > 0.0).then_some(best.1)
    };
    Some(DividingPlane { on: p, normal: sub(across(points[0])?, across(points[1])?) })
}
