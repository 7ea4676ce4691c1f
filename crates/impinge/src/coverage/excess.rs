//! How far a proxy reaches beyond its part: a search of the elements' boxes, best first.
use super::{
    cell::SpaceCell,
    element::{Element, from_surface},
    near_point::{Asked, NearPoint},
    options::ExcessOptions,
    proxy::Proxy,
    signed_bounds::SignedBounds,
};
use crate::{Body, Query, broad_phase::Aabb, vector::Vector};
use std::{cmp::Ordering, collections::BinaryHeap};

/// How far a proxy reaches beyond its part: the result of [`Query::excess`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Excess {
    /// Bounds of the greatest distance of a point of the proxy from the part. It is 0 for points of the part
    /// and, if the mesh is closed, for those inside. Both are 0 for a proxy without elements, and infinite for
    /// a part without triangles.
    pub distance: [f64; 2],
    /// A point of the proxy that is as far from the part as the lower bound, rounded.
    pub witness: Option<[f64; 3]>,
    /// Number of boxes that were examined.
    pub cells: u64,
}

/// A box with points of an element.
struct ExcessCell {
    /// Bound of the distance of these points from the part.
    most: f64,
    element: u32,
    cell: SpaceCell,
}

impl Ord for ExcessCell {
    fn cmp(&self, o: &Self) -> Ordering {
        self.most.total_cmp(&o.most)
    }
}
impl PartialOrd for ExcessCell {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl PartialEq for ExcessCell {
    fn eq(&self, o: &Self) -> bool {
        self.cmp(o) == Ordering::Equal
    }
}
impl Eq for ExcessCell {}

struct ExcessSearch<'s, 'a> {
    query: &'s mut Query,
    part: &'s Body<'a>,
    elements: &'s [Element<'a>],
    heap: BinaryHeap<ExcessCell>,
    least: f64,
    witness: Option<Vector>,
    cells: u64,
}

impl Query {
    /// How far a proxy reaches beyond its part, at most: the price of a proxy that covers.
    ///
    /// The set of the part is its surface, with the points inside if the mesh is closed. Boxes of space are
    /// halved, that with the greatest bound first, until the bounds are as near as the
    /// [accuracy](ExcessOptions::accuracy) asks. That takes some thousand searches for a closest point.
    ///
    /// ```
    /// use impinge::{Body, Mesh, Model, Pose, Query, coverage::{ExcessOptions, Proxy}};
    /// let model = Model::new(Mesh::cuboid([2.; 3])?);
    /// let part = Body::new(&model, Pose::IDENTITY);
    /// // A ball through the corners: above a face it is 3^0.5 - 1 too high.
    /// let ball = Proxy::balls(&[[0., 0., 0., 3_f64.sqrt()]])?;
    /// let found = Query::new().excess(&part, &ball, &ExcessOptions::new());
    /// let exact = 3_f64.sqrt() - 1.;
    /// assert!(found.distance[0] <= exact && exact <= found.distance[1]);
    /// assert!(found.distance[1] <= 1.01 * exact);
    /// # Ok::<(), impinge::Error>(())
    /// ```
    #[doc(alias("overestimate", "tightness"))]
    pub fn excess(&mut self, part: &Body<'_>, proxy: &Proxy<'_>, options: &ExcessOptions) -> Excess {
        let mut search = ExcessSearch {
            query: self,
            part,
            elements: &proxy.elements,
            heap: BinaryHeap::new(),
            least: 0.0,
            witness: None,
            cells: 0,
        };
        for (element, of) in (0..).zip(&proxy.elements) {
            let Aabb { lo, hi } = of.extent();
            let most = match of {
                // The radius moves no point farther from the part.
                Element::Ball { center, radius } => {
                    (from_surface(search.query, part, *center).hi + radius).next_up()
                }
                _ => f64::INFINITY,
            };
            search.look(element, SpaceCell { lo, hi }, most);
        }
        search.run(options)
    }
}

impl ExcessSearch<'_, '_> {
    fn run(mut self, options: &ExcessOptions) -> Excess {
        let mut most = self.least;
        while let Some(top) = self.heap.pop() {
            most = top.most.max(self.least);
            let is_close = most <= self.least * (1.0 + options.accuracy);
            if is_close || self.cells >= options.most_cells || self.query.parts().ask.stop.is_set() {
                break;
            }
            let Some(halves) = top.cell.halves() else { break };
            for half in halves {
                self.look(top.element, half, top.most);
            }
            most = self.least;
        }
        Excess { distance: [self.least, most], witness: self.witness, cells: self.cells }
    }

    /// Examines the points of an element in a box, which are no farther from the part than `most`.
    fn look(&mut self, element: u32, cell: SpaceCell, most: f64) {
        self.cells += 1;
        let (of, middle, reach) = (&self.elements[element as usize], cell.middle(), cell.reach());
        let in_element = of.distance(self.query, &middle, &Asked::WORLD);
        if in_element.lo > reach {
            return;
        }
        // A point of the element is no farther from the middle than this. Both distances change by no more
        // than points move.
        let to_part = self.improve(of, middle, in_element);
        let most = most.min((to_part.hi + reach).next_up());
        if most > self.least {
            self.heap.push(ExcessCell { most, element, cell });
        }
    }

    /// The distance of a box's middle from the part; with the element's point next to it as a witness.
    fn improve(&mut self, of: &Element<'_>, middle: NearPoint, in_element: SignedBounds) -> SignedBounds {
        let to_part = from_surface(self.query, self.part, middle.at);
        if in_element.hi <= 0.0 {
            self.take(middle.at, to_part, in_element);
        } else if to_part.hi > self.least
            && let Some(at) = of.near_point(self.query, middle.at)
        {
            let in_element = of.distance(self.query, &NearPoint::exact(at), &Asked::WORLD);
            let to_part = from_surface(self.query, self.part, at);
            self.take(at, to_part, in_element);
        }
        to_part
    }

    fn take(&mut self, at: Vector, to_part: SignedBounds, in_element: SignedBounds) {
        let lo = (to_part.lo - in_element.hi.max(0.0)).next_down();
        if lo > self.least {
            (self.least, self.witness) = (lo, Some(at));
        }
    }
}
