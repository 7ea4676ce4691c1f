//! The volume of a proxy: boxes of space, that with the most open volume first.
use super::{
    box_cut::fraction, cell::SpaceCell, element::Element, near_point::Asked, options::ExcessOptions,
    proxy::Proxy,
};
use crate::{Body, Query, Rounded, broad_phase::Aabb, vector::UNIT};
use std::{cmp::Ordering, collections::BinaryHeap, ops::ControlFlow};

/// A box of which the elements take between `known` and `known` + `open` of the volume.
struct VolumeCell {
    known: f64,
    open: f64,
    /// The elements that may have points in it: `count` of the list from `first` on.
    first: usize,
    count: usize,
    cell: SpaceCell,
}

impl Ord for VolumeCell {
    fn cmp(&self, o: &Self) -> Ordering {
        self.open.total_cmp(&o.open)
    }
}
impl PartialOrd for VolumeCell {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl PartialEq for VolumeCell {
    fn eq(&self, o: &Self) -> bool {
        self.cmp(o) == Ordering::Equal
    }
}
impl Eq for VolumeCell {}

struct VolumeSearch<'s, 'a> {
    query: &'s mut Query,
    elements: &'s [Element<'a>],
    candidates: Vec<u32>,
    heap: BinaryHeap<VolumeCell>,
    known: f64,
    open: f64,
    cells: u64,
}

impl Query {
    /// Bounds of the volume of a proxy, the union of its elements with their insides.
    ///
    /// Less the volume of a closed part that it covers ([`Model::winding_volume`](crate::Model::winding_volume)
    /// at a rigid pose), that is the volume in excess.
    ///
    /// Boxes of space are halved until the open ones add no more than the
    /// [accuracy](ExcessOptions::accuracy), or there are [too many](ExcessOptions::most_cells). In a box that
    /// the surface of one element crosses, half-spaces bound what it takes, so that 1 % takes some thousand
    /// boxes for smooth shapes. Where several surfaces cross each other, and for meshes that are not convex,
    /// half the width takes four times as many.
    ///
    /// ```
    /// use impinge::{Query, coverage::{ExcessOptions, Proxy}};
    /// let ball = Proxy::balls(&[[0., 0., 0., 1.]])?;
    /// let [lo, hi] = Query::new().proxy_volume(&ball, &ExcessOptions::new());
    /// let exact = 4. / 3. * std::f64::consts::PI;
    /// assert!(lo <= exact && exact <= hi && hi <= 1.01 * lo);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn proxy_volume(&mut self, proxy: &Proxy<'_>, options: &ExcessOptions) -> [f64; 2] {
        if let [Element::Body { body, .. }] = &*proxy.elements
            && let Some(volume) = self.mesh_volume(body)
        {
            return volume;
        }
        let mut all = Aabb::EMPTY;
        for Aabb { lo, hi } in proxy.elements.iter().map(Element::extent) {
            for k in 0..3 {
                (all.lo[k], all.hi[k]) = (all.lo[k].min(lo[k]), all.hi[k].max(hi[k]));
            }
        }
        let cell = SpaceCell { lo: all.lo, hi: all.hi };
        if proxy.is_empty() || cell.lo[0] > cell.hi[0] {
            return [0.0; 2];
        }
        let whole = cell.volume();
        // Too large or too small for numbers.
        let sides = [0, 1, 2].map(|k| cell.hi[k] - cell.lo[k]);
        if sides.iter().any(|side| !(1e-90..1e90).contains(side)) {
            return [0.0, f64::INFINITY];
        }
        let mut search = VolumeSearch {
            query: self,
            elements: &proxy.elements,
            candidates: (0..proxy.len() as u32).collect(),
            heap: BinaryHeap::new(),
            known: 0.0,
            open: 0.0,
            cells: 0,
        };
        search.look(cell, 0, proxy.len());
        search.run(options, whole)
    }

    /// The volume of a solid that is not rounded, if its mesh does not meet itself, and winds once round each
    /// point inside.
    fn mesh_volume(&mut self, body: &Rounded<'_>) -> Option<[f64; 2]> {
        let (radius, Body { model, pose }) = (body.radius(), body.body());
        let [lo, hi] = model.winding_volume().filter(|[lo, _]| *lo > 0.0)?;
        let is_simple = radius == 0.0 && pose.is_rigid() && !self.self_intersects(model);
        if !is_simple {
            return None;
        }
        let stop = self.parts().ask.stop;
        let levels = model.solid().levels(model.geometry(), stop, || ControlFlow::Continue(None));
        let levels = levels.continue_value()??;
        let is_simple = (levels.sign, levels.least, levels.most, levels.excess) == (1, 1, 1, 0.0);
        // Rows that are orthonormal but for `defect` change volumes by less than twice as much.
        let part = 1e-12 + 2.0 * pose.defect();
        is_simple.then(|| [(lo * (1.0 - part)).next_down(), (hi * (1.0 + part)).next_up()])
    }
}

impl VolumeSearch<'_, '_> {
    fn run(mut self, options: &ExcessOptions, whole: f64) -> [f64; 2] {
        while let Some(top) = self.heap.pop() {
            let is_close = self.open <= options.accuracy * self.known;
            if is_close || self.cells >= options.most_cells || self.query.parts().ask.stop.is_set() {
                break;
            }
            let Some(halves) = top.cell.halves() else { break };
            (self.known, self.open) = (self.known - top.known, self.open - top.open);
            for half in halves {
                self.look(half, top.first, top.count);
            }
        }
        // Each box is added to and taken from the sums at most once. Such a sum is no larger than twice the
        // whole, and rounds once; the boxes' volumes round by 8 u.
        let off = 16.0 * UNIT * (self.cells as f64 + 1.0) * whole;
        let [known, open] = [self.known, self.open].map(|volume| volume.max(0.0));
        [(known - off).max(0.0), known + open + off]
    }

    /// Adds what is known of a box, given the elements that may have points in it.
    fn look(&mut self, cell: SpaceCell, from: usize, count: usize) {
        self.cells += 1;
        let (middle, reach, volume) = (cell.middle(), cell.reach(), cell.volume());
        let half = [0, 1, 2].map(|k| (cell.hi[k] - middle.at[k]).max(middle.at[k] - cell.lo[k]));
        let first = self.candidates.len();
        // Of the box, the fractions that one element takes at least, and all together at most.
        let (mut least, mut most) = (0.0_f64, 0.0);
        for i in from..from + count {
            let element = self.candidates[i];
            let of = &self.elements[element as usize];
            let found = of.distance(self.query, &middle, &Asked::WORLD);
            if found.hi <= -reach {
                self.known += volume;
                self.candidates.truncate(first);
                return;
            }
            if found.lo > reach {
                continue;
            }
            self.candidates.push(element);
            let is_convex = of.is_convex(self.query.parts().fill_rule);
            match if is_convex { of.cut(self.query, &middle.at, reach) } else { None } {
                Some(cut) => {
                    least = least.max(fraction(&cut.normal, &half, cut.inner)[0]);
                    most += fraction(&cut.normal, &half, cut.outer)[1];
                }
                None => most += 1.0,
            }
        }
        let (known, open) = (least * volume, (most.min(1.0) - least).max(0.0) * volume);
        (self.known, self.open) = (self.known + known, self.open + open);
        if open > 0.0 {
            let count = self.candidates.len() - first;
            self.heap.push(VolumeCell { known, open, first, count, cell });
        } else {
            self.candidates.truncate(first);
        }
    }
}
