//! The narrow phase: which triangles of two leaves meet. Every query ends here, whatever led it.
use crate::{
    Body, Mesh, Pose, Probe,
    motion::Motion,
    triangle::filter::{self, Verdict},
};
use std::ops::ControlFlow;

type Triangle = [[f64; 3]; 3];

/// Two placed meshes, compared in the first one's frame.
pub(crate) struct Narrow<'a> {
    a: &'a Mesh,
    b: &'a Mesh,
    poses: (&'a Pose, &'a Pose),
    /// `None` where both poses are the same: nothing needs to move, and nothing is rounded.
    motion: Option<Motion>,
    /// How far a moved coordinate of `b` may be from the exact one.
    delta: f64,
}

/// A triangle of the second mesh in the first one's frame, and a box that holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    corners: Triangle,
    pub(crate) lo: [f64; 3],
    pub(crate) hi: [f64; 3],
}

#[inline(always)]
pub(crate) fn extent(t: &Triangle) -> ([f64; 3], [f64; 3]) {
    let least = |x: f64, y: f64| if y < x { y } else { x };
    let most = |x: f64, y: f64| if y > x { y } else { x };
    (
        std::array::from_fn(|k| least(least(t[0][k], t[1][k]), t[2][k])),
        std::array::from_fn(|k| most(most(t[0][k], t[1][k]), t[2][k])),
    )
}

impl<'a> Narrow<'a> {
    pub(crate) fn new(a: &'a Body<'_>, b: &'a Body<'_>, b_to_a: &Motion) -> Self {
        let same = a.pose == b.pose;
        Self {
            a: a.model.mesh(),
            b: b.model.mesh(),
            poses: (&a.pose, &b.pose),
            motion: (!same).then_some(*b_to_a),
            delta: if same { 0.0 } else { b_to_a.error(b.model.reach()) },
        }
    }

    #[inline(always)]
    pub(crate) fn moved(&self, j: u32) -> Moved {
        let own = self.b.corners(j);
        let corners = self.motion.as_ref().map_or(own, |motion| own.map(|v| motion.apply(v)));
        let (lo, hi) = extent(&corners);
        Moved { corners, lo: lo.map(|x| x - self.delta), hi: hi.map(|x| x + self.delta) }
    }

    /// Whether triangle `i` of the first mesh meets triangle `j` of the second.
    #[inline(always)]
    pub(crate) fn meet<P: Probe>(&self, i: u32, j: u32, moved: &Moved, probe: &mut P) -> bool {
        let corners = self.a.corners(i);
        let (lo, hi) = extent(&corners);
        // NaN, from a motion of which nothing is known, excludes nothing.
        if (0..3).any(|k| lo[k] > moved.hi[k] || hi[k] < moved.lo[k]) {
            return false;
        }
        probe.triangles_tested(1);
        self.decide(&corners, j, &moved.corners, probe)
    }

    /// The same of a pair, by numbers, that some other test has left: in f64, then exactly.
    pub(crate) fn pair<P: Probe>(&self, [i, j]: [u32; 2], probe: &mut P) -> bool {
        let own = self.b.corners(j);
        let moved = self.motion.as_ref().map_or(own, |motion| own.map(|v| motion.apply(v)));
        self.decide(&self.a.corners(i), j, &moved, probe)
    }

    #[inline(always)]
    fn decide<P: Probe>(&self, corners: &Triangle, j: u32, moved: &Triangle, probe: &mut P) -> bool {
        match filter::decide(corners, moved, self.delta) {
            Verdict::Meet => true,
            Verdict::Apart => false,
            Verdict::Unsure => {
                probe.decided_exactly();
                self.meet_exactly(corners, j)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn meet_exactly(&self, corners: &Triangle, j: u32) -> bool {
        crate::exact::meet(corners, self.poses.0, &self.b.corners(j), self.poses.1)
    }

    /// Reports every pair of two runs of triangles that meets, until `found` breaks.
    #[inline(always)]
    pub(crate) fn leaves<P: Probe, B>(
        &self,
        of_a: &[u32],
        of_b: &[u32],
        probe: &mut P,
        mut found: impl FnMut([u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for &j in of_b {
            let moved = self.moved(j);
            for &i in of_a {
                if self.meet(i, j, &moved, probe) {
                    found([i, j])?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
