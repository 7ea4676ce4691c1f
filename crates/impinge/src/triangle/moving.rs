//! Two triangles of which one moves: whether they stay apart, in f64.
//!
//! Along any w, the interval of w.x over the moving triangle at any time lies between the least of w.q_k -
//! |w.v_k| and the greatest of w.q_k + |w.v_k|, but for |w| times the bend. So if there is a gap between this
//! and the interval of the other, of more than |w| (bend + margin) and what is rounded, the triangles stay
//! further apart than the margin.
//!
//! # Rounding
//! Coordinates are relative to a corner, no larger than X = 2, and each within `off` of the exact one. A
//! product w.q or w.p is off by |w|_1 (off + 3 u X), a product w.v by 3 u |w|_1 V, V being the longest v. Two
//! sums round: in all |w|_1 (2 off + 10 u X + 5 u V).
use super::closest::{RoundedTrianglePair, nearest};
use crate::vector::{Triangle, UNIT, Vector, cross, dot, length, shrinking, sub};

/// A triangle p at rest and one that moves: its corner k is within `room` of q[k] + s `ways[k]`, s from -1 to
/// 1 being the same for all corners. Coordinates are within `off` of the exact ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingTriangle {
    pub(crate) p: Triangle,
    pub(crate) q: Triangle,
    pub(crate) ways: Triangle,
    pub(crate) off: f64,
    /// A bound of the bend, and a margin.
    pub(crate) room: f64,
}

/// Directions of edges help only where triangles are much nearer than their size; elsewhere the line between
/// the nearest points is as good.
const CLOSE: f64 = 1e-3;

impl MovingTriangle {
    /// True if the triangles certainly stay further apart than the room.
    pub(crate) fn stays_apart(&self) -> bool {
        let origin = self.p[0];
        let (p, q) = (self.p.map(|v| sub(v, origin)), self.q.map(|v| sub(v, origin)));
        let extent = p.iter().chain(&q).flatten().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
        let longest = self.ways.iter().map(|v| length(*v)).fold(0.0, f64::max);
        // Into [1/2, 1).
        let down = shrinking(extent);
        let scaled = |t: Triangle| t.map(|v| v.map(|x| x * down));
        let (p, q, ways) = (scaled(p), scaled(q), scaled(self.ways));
        // Differences round once, and the length of the ways by a little.
        let off = self.off * down + UNIT * (2.0 + 3.0 * longest * down);
        let along = Along { p, q, ways, off, room: self.room * down * (1.0 + 1e-9) };
        // Comparisons with NaN are false: then nothing is proved.
        let edges = |t: &Triangle| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
        let (e, f) = (edges(&p), edges(&q));
        if along.is_free(cross(e[0], e[1])) || along.is_free(cross(f[0], f[1])) {
            return true;
        }
        let found = nearest(&RoundedTrianglePair { p, q, off });
        if found.lo > (longest * down) * (1.0 + 1e-9) + along.room {
            return true;
        }
        if along.is_free(sub(found.points[1], found.points[0])) {
            return true;
        }
        found.hi <= CLOSE && e.iter().any(|e| f.iter().any(|f| along.is_free(cross(*e, *f))))
    }
}

/// Triangles and ways of size 1.
struct Along {
    p: Triangle,
    q: Triangle,
    ways: Triangle,
    off: f64,
    room: f64,
}

impl Along {
    fn is_free(&self, w: Vector) -> bool {
        let (p, q) = (self.p.map(|x| dot(w, x)), self.q.map(|x| dot(w, x)));
        let v = self.ways.map(|x| dot(w, x).abs());
        let least = |x: [f64; 3]| x[0].min(x[1]).min(x[2]);
        let most = |x: [f64; 3]| x[0].max(x[1]).max(x[2]);
        let before = least([q[0] - v[0], q[1] - v[1], q[2] - v[2]]) - most(p);
        let behind = least(p) - most([q[0] + v[0], q[1] + v[1], q[2] + v[2]]);
        let one = w[0].abs() + w[1].abs() + w[2].abs();
        // The length rounds by less than the factor adds.
        let room = length(w) * self.room * (1.0 + 1e-9) + one * (2.0 * self.off + 24.0 * UNIT);
        // Underflow takes less than that.
        before.max(behind) > room + 1e-290
    }
}
