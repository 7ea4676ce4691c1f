//! Two triangles of which one moves: how long they stay apart, in f64.
//!
//! Along any w, the interval of w.x over the moving triangle at any time lies between the least of w.q_k -
//! |w.v_k| and the greatest of w.q_k + |w.v_k|, but for |w| times the bend. So if there is a gap between this
//! and the interval of the other, of more than |w| (bend + margin) and what is rounded, the triangles stay
//! further apart than the margin. If the gap is there at the first moment only, it is until one of the linear
//! functions w.q_k + s w.v_k has used it up.
//!
//! # Rounding
//! Coordinates are relative to a corner, no larger than X = 2, and each within `off` of the exact one. A
//! product w.q or w.p is off by |w|_1 (off + 3 u X), a product w.v by 3 u |w|_1 V, V being the longest v. Two
//! sums round: in all |w|_1 (2 off + 10 u X + 5 u V).
use super::closest::{RoundedTrianglePair, nearest};
use crate::vector::{Triangle, UNIT, Vector, cross, dot, length, shrinking, sub};

/// A triangle p at rest and one that moves: its corner k is within `bend` of q[k] + s `ways[k]`, s from -1 to
/// 1 being the same for all corners. Coordinates are within `off` of the exact ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingTriangle {
    pub(crate) p: Triangle,
    pub(crate) q: Triangle,
    pub(crate) ways: Triangle,
    pub(crate) off: f64,
    pub(crate) bend: f64,
    pub(crate) margin: f64,
}

/// How long two triangles certainly stay further apart than the margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FreeTime {
    /// They do from s = -1 until this. Infinite if they always do, -1 if not even at first.
    pub(crate) until: f64,
    /// By which s the gap is probably used up, but for bend and rounding: an estimate.
    pub(crate) closed_by: f64,
}

impl FreeTime {
    pub(crate) const ALWAYS: Self = Self { until: f64::INFINITY, closed_by: f64::INFINITY };
    pub(crate) const NEVER: Self = Self { until: -1.0, closed_by: 1.0 };

    pub(crate) fn is_always(self) -> bool {
        self.until == f64::INFINITY
    }
    fn longer(self, other: Self) -> Self {
        if other.until > self.until { other } else { self }
    }
}

/// Directions of edges help only where triangles are much nearer than their size; elsewhere the line between
/// the nearest points is as good.
const CLOSE: f64 = 1e-3;

/// Squares of lengths below this have lost bits to underflow.
const LEAST_SQUARE: f64 = 1e-250;

impl MovingTriangle {
    pub(crate) fn free_time(&self) -> FreeTime {
        let origin = self.p[0];
        let (p, q) = (self.p.map(|v| sub(v, origin)), self.q.map(|v| sub(v, origin)));
        let extent = p.iter().chain(&q).flatten().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
        // Into [1/2, 1).
        let down = shrinking(extent);
        let scaled = |t: Triangle| t.map(|v| v.map(|x| x * down));
        let (p, q, ways) = (scaled(p), scaled(q), scaled(self.ways));
        let longest = ways.iter().map(|v| length(*v)).fold(0.0, f64::max);
        // Differences round once, and the length of the ways by a little.
        let off = self.off * down + UNIT * (2.0 + 3.0 * longest);
        let along = Along { p, q, ways, off, bend: self.bend * down, margin: self.margin * down };
        let edges = |t: &Triangle| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
        let (e, f) = (edges(&p), edges(&q));
        let mut best = FreeTime::NEVER;
        for normal in [cross(e[0], e[1]), cross(f[0], f[1])] {
            best = best.longer(along.free_time(normal));
            if best.is_always() {
                return best;
            }
        }
        let found = nearest(&RoundedTrianglePair { p, q, off });
        if found.lo > longest * (1.0 + 1e-9) + (along.bend + along.margin) * (1.0 + 8.0 * UNIT) {
            return FreeTime::ALWAYS;
        }
        best = best.longer(along.free_time(sub(found.points[1], found.points[0])));
        if best.is_always() || found.hi > CLOSE {
            return best;
        }
        for e in e {
            for f in f {
                best = best.longer(along.free_time(cross(e, f)));
                if best.is_always() {
                    return best;
                }
            }
        }
        // Triangles in one plane are parted by normals of their edges in it.
        for edges in [e, f] {
            let normal = cross(edges[0], edges[1]);
            for edge in edges {
                best = best.longer(along.free_time(cross(normal, edge)));
                if best.is_always() {
                    return best;
                }
            }
        }
        best
    }
}

/// Triangles and ways of size 1.
struct Along {
    p: Triangle,
    q: Triangle,
    ways: Triangle,
    off: f64,
    bend: f64,
    margin: f64,
}

impl Along {
    /// For how long there is a gap along w. Comparisons with NaN are false: then nothing is proved.
    fn free_time(&self, w: Vector) -> FreeTime {
        let (p, q, v) = (self.p.map(|x| dot(w, x)), self.q.map(|x| dot(w, x)), self.ways.map(|x| dot(w, x)));
        let one = w[0].abs() + w[1].abs() + w[2].abs();
        // The length and its products round by less than the factor adds, and underflow takes less than the
        // last term. The squares of short vectors underflow, too.
        let square = dot(w, w);
        let length = if square < LEAST_SQUARE { one } else { square.sqrt() };
        let size = length * (1.0 + 8.0 * UNIT);
        let slack = size * self.bend + one * (2.0 * self.off + 24.0 * UNIT) + 1e-290;
        let room = size * self.margin + slack;
        let above = p[0].max(p[1]).max(p[2]) + room;
        let below = p[0].min(p[1]).min(p[2]) - room;
        let over = shrinking_gap([q[0] - above, q[1] - above, q[2] - above], v, slack);
        let under = shrinking_gap([below - q[0], below - q[1], below - q[2]], v.map(|x| -x), slack);
        over.longer(under)
    }
}

/// For how long gap[k] + s v[k] stays positive for all k. A quotient rounds by less than 1e-12 of 1, or of
/// itself: the gap that is left then is more than what the sums round. Each gap has been made less by the
/// slack, the bound of all that is uncertain.
pub(crate) fn shrinking_gap(gap: [f64; 3], v: [f64; 3], slack: f64) -> FreeTime {
    let mut all = FreeTime::ALWAYS;
    for k in 0..3 {
        // At s = -1.
        let is_open = gap[k] - v[k] > 0.0;
        if !is_open {
            return FreeTime::NEVER;
        }
        if gap[k] + v[k] > 0.0 {
            continue;
        }
        // v is negative.
        let until = gap[k] / -v[k] - 1e-12;
        if until < all.until {
            all = FreeTime { until: until.max(-1.0), closed_by: until + 2.5 * slack / -v[k] };
        }
    }
    all
}

#[cfg(test)]
mod tests;
