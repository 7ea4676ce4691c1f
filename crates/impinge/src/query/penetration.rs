//! How far two bodies are in each other.
use super::Query;
use crate::{Body, Penetration, PenetrationParts, penetration, sink::sort};

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
        let scratch = &mut self.scratches.first().scratch;
        let mut memory = std::mem::take(&mut scratch.penetration);
        let found = penetration::penetration(bodies, pairs, (self.inside, wanted), &mut memory);
        scratch.penetration = memory;
        found
    }
}
