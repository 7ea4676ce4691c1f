//! What two bodies are to each other as solids.
use super::{Ask, Query, Scratch};
use crate::{
    Body, Inside, Relation,
    motion::Motion,
    narrow::Narrow,
    relation::{Question, Wanted},
};
use std::ops::ControlFlow;

impl Query {
    /// What two bodies are to each other, as sets of points: what a closed mesh bounds is solid.
    pub fn relation(&mut self, a: &Body<'_>, b: &Body<'_>) -> Relation {
        self.ask_relation([a, b], None, Wanted::Relation)
    }
    /// The same, given all pairs of triangles that meet.
    pub fn relation_of_pairs(&mut self, a: &Body<'_>, b: &Body<'_>, pairs: &[[u32; 2]]) -> Relation {
        self.ask_relation([a, b], Some(pairs), Wanted::Relation)
    }
    /// Whether the insides of two solids have a point in common; of a surface, whether it has a point inside
    /// of the other body.
    pub fn interiors_meet(&mut self, a: &Body<'_>, b: &Body<'_>) -> bool {
        self.ask_relation([a, b], None, Wanted::Interiors).interiors_meet()
    }

    fn ask_relation(
        &mut self,
        bodies: [&Body<'_>; 2],
        pairs: Option<&[[u32; 2]]>,
        wanted: Wanted,
    ) -> Relation {
        let (stop, scratch) = (self.stop.clone(), &mut self.scratches.first().scratch);
        let ask = Ask::new(self.simd, self.counting, self.mixed, stop.as_deref());
        ask.relation(bodies, pairs, (self.inside, wanted), scratch)
    }
}

impl Ask<'_> {
    pub(crate) fn relation(
        &self,
        [a, b]: [&Body<'_>; 2],
        pairs: Option<&[[u32; 2]]>,
        (inside, wanted): (Inside, Wanted),
        scratch: &mut Scratch,
    ) -> Relation {
        let b_to_a = Motion::between(&b.pose, &a.pose);
        let narrow = Narrow::new(a, b, &b_to_a);
        let mut memory = std::mem::take(&mut scratch.relation);
        let mut question = Question::new([a, b], inside, &narrow, &mut memory, wanted);
        match pairs {
            Some(pairs) => {
                for &pair in pairs {
                    if question.take(pair).is_break() {
                        break;
                    }
                }
            }
            None => {
                let _: ControlFlow<()> = self.find(a, b, scratch, |pair| question.take(pair));
            }
        }
        let relation = question.finish();
        scratch.relation = memory;
        relation
    }
}
