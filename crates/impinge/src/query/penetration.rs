//! How far two bodies are in each other.
use super::{Ask, Query};
use crate::{Body, Penetration, PenetrationParts, penetration, relation::Wanted, sink::sort};

impl Query {
    /// How far two bodies are in each other: the volume of what they have in common, a corner that is deep
    /// inside, a translation that parts them; of these what is `wanted`. See [`Penetration`].
    ///
    /// # Panics
    /// As [`Query::intersects`].
    pub fn penetration(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        wanted: &PenetrationParts,
    ) -> Penetration {
        let mut pairs = std::mem::take(&mut self.pairs);
        self.pairs_into(a, b, &mut pairs);
        let found = self.ask_penetration([a, b], wanted, &pairs);
        self.pairs = pairs;
        found
    }

    /// The same, for whoever has all pairs of triangles that meet, in any order.
    ///
    /// # Panics
    /// If a pair names triangles that the bodies do not have.
    pub fn penetration_of_pairs(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        wanted: &PenetrationParts,
        pairs: &[[u32; 2]],
    ) -> Penetration {
        if pairs.is_sorted() {
            return self.ask_penetration([a, b], wanted, pairs);
        }
        let mut sorted = std::mem::take(&mut self.pairs);
        sorted.clear();
        sorted.extend_from_slice(pairs);
        sort(&mut sorted);
        let found = self.ask_penetration([a, b], wanted, &sorted);
        self.pairs = sorted;
        found
    }

    fn ask_penetration(
        &mut self,
        bodies: [&Body<'_>; 2],
        wanted: &PenetrationParts,
        pairs: &[[u32; 2]],
    ) -> Penetration {
        let (stop, scratch) = (self.stop.clone(), &mut self.scratches.first().scratch);
        let ask = Ask::new(self.simd, self.counting, self.mixed, stop.as_deref());
        let (inside, mut memory) = (self.inside, std::mem::take(&mut scratch.penetration));
        let mut meet = |moved: &Body<'_>, pairs: Option<&[[u32; 2]]>| {
            let wanted = (inside, Wanted::Interiors);
            ask.relation([bodies[0], moved], pairs, wanted, scratch).interiors_meet()
        };
        let found = penetration::penetration(bodies, pairs, (inside, wanted), &mut memory, &mut meet);
        scratch.penetration = memory;
        found
    }
}
