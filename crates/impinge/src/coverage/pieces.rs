//! The search: triangles of the part, divided until they are covered or their bound is good enough.
use super::{
    candidates::ElementTree,
    element::Element,
    near_point::{Asked, NearPoint},
    options::CoverageOptions,
    proxy::Proxy,
    result::{Coverage, Witness},
    signed_bounds::SignedBounds,
    single::{cover_by, single},
    union::{is_in_one, is_in_union},
};
use crate::{
    Body, Pose, Query,
    vector::{UNIT, Vector, length, sub},
};
use std::mem::take;

/// A triangle is divided at most so often: roundings of corners add up.
const MOST_DEPTH: u32 = 200;

/// The least part of an edge that is cut off where two elements are equally near: smaller ones do not help.
const LEAST_PART: f64 = 1.0 / 16.0;

/// Pieces that stick out by less than the tolerance are divided so often: most are covered then.
const LATE: u32 = 6;

/// No point of a triangle is farther from the nearest corner than this part of the longest edge, rounded up:
/// the radius of the circle through the corners of an equilateral triangle, 1 / sqrt 3.
const TO_CORNER: f64 = 0.577_351;

/// Covers roundings of lengths of edges.
const MORE: f64 = 1.0 + 1e-9;

/// Part of a triangle.
#[derive(Clone, Copy, Debug)]
struct PartPiece {
    corners: [NearPoint; 3],
    /// Its candidates: `count` from `first` on.
    first: usize,
    count: usize,
    /// Bound of the distance of its points from the proxy.
    most: f64,
    depth: u32,
    /// The number of divisions with a bound below the tolerance.
    late: u32,
}

/// An element that may be the nearest one to points of a piece.
#[derive(Clone, Copy, Debug)]
struct CoverCandidate {
    element: u32,
    is_convex: bool,
    /// The distances of the corners.
    at: [SignedBounds; 3],
    /// Bound of the distances of all points by single triangles, for bodies that are not convex.
    by_facets: f64,
}

/// Memory of a search.
#[derive(Debug, Default)]
struct CoverMemory {
    stack: Vec<PartPiece>,
    /// The candidates of the pieces on the stack, in the same order.
    candidates: Vec<CoverCandidate>,
    /// The distances of the middle of an edge from one piece's candidates.
    middles: Vec<SignedBounds>,
    /// The candidates of both halves of one piece.
    halves: Vec<CoverCandidate>,
}

/// Half of a piece.
struct CoverHalf {
    corners: [NearPoint; 3],
    edge: f64,
    most: f64,
    /// The first of its candidates.
    first: usize,
}

/// A triangle of the part in the world.
struct PartTriangle {
    number: u32,
    corners: [NearPoint; 3],
    /// Bound of what rounding adds to a corner of a piece.
    rounding: f64,
}

struct CoverSearch<'s, 'a> {
    query: &'s mut Query,
    elements: &'s [Element<'a>],
    memory: CoverMemory,
    options: &'s CoverageOptions,
    asked: Asked,
    tolerance: f64,
    /// A lower bound of the depth, and the point that proves it.
    least: Option<(f64, Witness)>,
    /// The greatest bound of a piece that is divided no further.
    most: f64,
    is_undecided: bool,
    pieces: u64,
}

pub(super) fn cover(
    query: &mut Query,
    part: &Body<'_>,
    proxy: &Proxy<'_>,
    options: &CoverageOptions,
) -> Coverage {
    if options.margin == 0.0 && is_in_one(query, part, &proxy.elements) {
        return Coverage::COVERED;
    }
    let [lo, hi] = part.model.extent();
    let size = length(sub(*hi, *lo));
    let memory = take(query.parts().scratches.first().scratch.own.get::<CoverMemory>());
    let mut search = CoverSearch {
        query,
        elements: &proxy.elements,
        memory,
        options,
        asked: Asked { pose: part.pose, margin: options.margin },
        tolerance: options.tolerance.unwrap_or(size / f64::from(1 << 20)),
        least: None,
        most: 0.0,
        is_undecided: false,
        pieces: 0,
    };
    let tree = proxy.tree();
    let rule = search.query.parts().fill_rule;
    if search.elements.iter().any(|element| !element.is_convex(rule)) {
        // A good witness among the corners, as pieces beside bodies that are not convex take many divisions.
        for number in 0..part.model.mesh().len() as u32 {
            if search.query.parts().ask.stop.is_set() {
                break;
            }
            search.begin(&PartTriangle::new(part, number), tree);
            search.memory.candidates.clear();
            search.memory.stack.clear();
        }
        search.most = 0.0;
        search.is_undecided = false;
        if let Some(body) = single(search.query, search.elements)
            && let Some(coverage) = cover_by(search.query, part, &body, options, search.least)
        {
            *search.query.parts().scratches.first().scratch.own.get() = search.memory;
            return coverage;
        }
    }
    for number in 0..part.model.mesh().len() as u32 {
        let triangle = PartTriangle::new(part, number);
        search.memory.candidates.clear();
        search.memory.stack.clear();
        search.begin(&triangle, tree);
        while let Some(piece) = search.memory.stack.pop() {
            if search.query.parts().ask.stop.is_set() {
                break;
            }
            search.memory.candidates.truncate(piece.first + piece.count);
            search.divide(&triangle, &piece);
        }
        if options.verdict_only && search.least.is_some() {
            search.most = f64::INFINITY;
            break;
        }
        if search.query.parts().ask.stop.is_set() {
            break;
        }
    }
    let CoverSearch { memory, least, most, is_undecided, pieces, .. } = search;
    *query.parts().scratches.first().scratch.own.get() = memory;
    let is_flush = least.is_none() && is_undecided && most < f64::INFINITY && options.margin == 0.0;
    if is_flush && is_in_union(query, part, proxy.union()) {
        return Coverage { pieces, ..Coverage::COVERED };
    }
    match least {
        Some((least, witness)) => {
            let depth = [least, most.max(least)];
            Coverage { covered: Some(false), depth, witness: Some(witness), pieces }
        }
        None if is_undecided => Coverage { covered: None, depth: [0.0, most], witness: None, pieces },
        None => Coverage { pieces, ..Coverage::COVERED },
    }
}

impl PartTriangle {
    fn new(part: &Body<'_>, number: u32) -> Self {
        let is_exact = part.pose == Pose::IDENTITY;
        let corners = part.model.mesh().corners(number).map(|v| {
            let at = part.pose.place(v);
            NearPoint { at, off: if is_exact { 0.0 } else { UNIT * taxicab(&at) }, own: Some(v) }
        });
        let size = corners.iter().map(|corner| taxicab(&corner.at)).fold(0.0, f64::max);
        // A difference, a product and a sum round once each: 5 u of the size on each of three axes.
        Self { number, corners, rounding: 16.0 * UNIT * size }
    }
    /// The point at a place, from 0 to 1, of a segment within the triangle.
    fn between(&self, a: &NearPoint, b: &NearPoint, place: f64) -> NearPoint {
        let at = [0, 1, 2].map(|k| a.at[k] + place * (b.at[k] - a.at[k]));
        NearPoint { at, off: (a.off.max(b.off) + self.rounding).next_up(), own: None }
    }
}

fn taxicab(v: &Vector) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

impl CoverSearch<'_, '_> {
    /// A piece whose bound is no more than this counts no further.
    fn enough(&self) -> f64 {
        self.least.map_or(0.0, |(least, _)| least * (1.0 + self.options.accuracy))
    }

    /// Takes a whole triangle, with the elements that may be the nearest to its points.
    fn begin(&mut self, triangle: &PartTriangle, tree: &ElementTree) {
        self.pieces += 1;
        let edge = longest_edge(&triangle.corners);
        let corners = triangle.corners.map(|corner| corner.at);
        let center = [0, 1, 2].map(|k| corners[0][k] / 3.0 + corners[1][k] / 3.0 + corners[2][k] / 3.0);
        let radius = corners.iter().map(|v| length(sub(*v, center))).fold(0.0, f64::max);
        let off = triangle.corners.iter().map(|corner| corner.off).fold(triangle.rounding, f64::max);
        let radius = (radius + 2.0 * off) * MORE;
        let (mut most, enough) = (f64::INFINITY, self.enough());
        let Self { query, elements, memory, asked, .. } = self;
        let fill_rule = query.parts().fill_rule;
        tree.near(&center, f64::INFINITY, |element| {
            let of = &elements[element as usize];
            let at = triangle.corners.map(|corner| of.distance(query, &corner, asked));
            let is_convex = of.is_convex(fill_rule);
            let by_facets =
                if is_convex { f64::INFINITY } else { of.most_by_facets(&at, &triangle.corners, asked) };
            let candidate = CoverCandidate { element, is_convex, at, by_facets };
            most = most.min(candidate.most(edge));
            if candidate.least(edge) <= most {
                memory.candidates.push(candidate);
            }
            // The rest does not matter where one element is enough.
            if most <= enough { -1.0 } else { most + radius }
        });
        if most <= enough {
            self.most = self.most.max(most);
            return;
        }
        let candidates = &mut self.memory.candidates;
        candidates.retain(|candidate| candidate.least(edge) <= most);
        let count = candidates.len();
        for (j, corner) in triangle.corners.iter().enumerate() {
            let lo = self.memory.candidates.iter().map(|candidate| candidate.at[j].lo);
            let lo = lo.fold(f64::INFINITY, f64::min);
            self.improve(triangle.number, corner.at, lo);
        }
        self.push(PartPiece { corners: triangle.corners, first: 0, count, most, depth: 0, late: 0 });
    }

    /// Takes a point for a witness, if it is farther outside than all before: by `lo` at least.
    fn improve(&mut self, triangle: u32, point: Vector, lo: f64) {
        if lo > self.least.map_or(0.0, |(least, _)| least) {
            self.least = Some((lo, Witness { triangle, point }));
        }
    }

    /// Keeps a piece to be divided, if that may change the result.
    fn push(&mut self, piece: PartPiece) {
        let is_over = piece.most <= self.enough();
        let is_left = !is_over
            && (piece.late > LATE
                || piece.depth >= MOST_DEPTH
                || self.pieces >= self.options.most_pieces
                || piece.most == f64::INFINITY);
        if is_over || is_left {
            self.is_undecided |= is_left;
            self.most = self.most.max(piece.most);
            self.memory.candidates.truncate(piece.first);
            return;
        }
        self.memory.stack.push(piece);
    }

    /// Divides a piece across its longest edge: where two elements are equally near, or in the middle.
    fn divide(&mut self, triangle: &PartTriangle, piece: &PartPiece) {
        if piece.most <= self.enough() || (self.options.verdict_only && self.least.is_some()) {
            self.most = self.most.max(piece.most);
            return;
        }
        let corners = piece.corners;
        let lengths = [0, 1, 2].map(|j| length(sub(corners[(j + 1) % 3].at, corners[j].at)));
        let j = (0..3).max_by(|&a, &b| lengths[a].total_cmp(&lengths[b])).unwrap_or(0);
        // Rounding of the halves' corners would be larger than the halves.
        if lengths[j] <= triangle.rounding {
            self.is_undecided = true;
            self.most = self.most.max(piece.most);
            return;
        }
        let (from, to, apex) = (j, (j + 1) % 3, (j + 2) % 3);
        let own = piece.first..piece.first + piece.count;
        let place = crossing(&self.memory.candidates[own.clone()], from, to).unwrap_or(0.5);
        let middle = triangle.between(&corners[from], &corners[to], place);
        let late = piece.late + u32::from(piece.most <= self.tolerance);
        self.pieces += 2;
        // The distances of the middle.
        let mut middles = take(&mut self.memory.middles);
        middles.clear();
        for candidate in &self.memory.candidates[own.clone()] {
            let of = &self.elements[candidate.element as usize];
            let mut found = of.distance(self.query, &middle, &self.asked);
            if candidate.is_convex {
                found.hi = found.hi.min(between_up(candidate.at[from].hi, candidate.at[to].hi, place));
            }
            middles.push(found);
        }
        let lo = middles.iter().map(|found| found.lo).fold(f64::INFINITY, f64::min);
        self.improve(triangle.number, middle.at, lo);
        let mut all = take(&mut self.memory.halves);
        all.clear();
        let mut halves = [from, to].map(|end| {
            let half_corners = [corners[apex], corners[end], middle];
            let edge = longest_edge(&half_corners);
            let (mut most, first) = (f64::INFINITY, all.len());
            for (candidate, found) in self.memory.candidates[own.clone()].iter().zip(&middles) {
                let mut half = candidate.half([apex, end], *found);
                if !half.is_convex {
                    let of = &self.elements[half.element as usize];
                    half.by_facets = of.most_by_facets(&half.at, &half_corners, &self.asked);
                }
                most = most.min(half.most(edge));
                all.push(half);
            }
            CoverHalf { corners: half_corners, edge, most, first }
        });
        // The farther half is on top of the stack, so that good witnesses are found early.
        if halves[0].most > halves[1].most {
            halves.reverse();
        }
        for CoverHalf { corners, edge, most, first } in halves {
            let near = all[first..first + piece.count].iter().filter(|half| half.least(edge) <= most);
            let first = self.memory.candidates.len();
            self.memory.candidates.extend(near);
            let count = self.memory.candidates.len() - first;
            self.push(PartPiece { corners, first, count, most, depth: piece.depth + 1, late });
        }
        (self.memory.middles, self.memory.halves) = (middles, all);
    }
}

impl CoverCandidate {
    /// The same for half a piece: these corners of the piece, and a middle.
    fn half(&self, [i, j]: [usize; 2], middle: SignedBounds) -> Self {
        Self { at: [self.at[i], self.at[j], middle], ..*self }
    }
    /// Bound of the distances of all points of a piece with this longest edge.
    fn most(&self, edge: f64) -> f64 {
        let most = self.at[0].hi.max(self.at[1].hi).max(self.at[2].hi);
        if self.is_convex { most } else { (most + TO_CORNER * edge).next_up().min(self.by_facets) }
    }
    /// Lower bound of them: distances change by no more than points move.
    fn least(&self, edge: f64) -> f64 {
        let [a, b, c] = self.at.map(|at| at.lo);
        let (least, greatest) = (a.min(b).min(c), a.max(b).max(c));
        (least - TO_CORNER * edge).max(greatest - edge).next_down()
    }
}

/// Bound of the longest edge of a triangle.
fn longest_edge(corners: &[NearPoint; 3]) -> f64 {
    let edge = |j: usize| {
        let (a, b) = (&corners[j], &corners[(j + 1) % 3]);
        // Squares that underflow take less than 1e-150.
        length(sub(a.at, b.at)) + a.off + b.off + 1e-150
    };
    edge(0).max(edge(1)).max(edge(2)) * MORE
}

/// The number between two others at a place from 0 to 1, rounded up: exactly one of them if they are equal.
fn between_up(a: f64, b: f64, place: f64) -> f64 {
    if a == b {
        return a;
    }
    // Each product and the sum round once.
    let sum = a * (1.0 - place) + b * place;
    (sum + 4.0 * UNIT * (a.abs() + b.abs())).next_up()
}

/// Where the element nearest to one end of an edge and that nearest to the other end are equally near, by
/// linear estimates; `None` if one element is nearest to both, or that is close to an end.
fn crossing(candidates: &[CoverCandidate], from: usize, to: usize) -> Option<f64> {
    let nearest = |end: usize| candidates.iter().min_by(|a, b| a.at[end].hi.total_cmp(&b.at[end].hi));
    let (a, b) = (nearest(from)?, nearest(to)?);
    let (at_from, at_to) = (b.at[from].hi - a.at[from].hi, a.at[to].hi - b.at[to].hi);
    let place = at_from / (at_from + at_to);
    (a.element != b.element && (LEAST_PART..=1.0 - LEAST_PART).contains(&place)).then_some(place)
}
