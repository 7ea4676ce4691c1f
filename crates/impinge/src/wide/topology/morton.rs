//! Clusters.
use super::four::Span;
use crate::bounds::Bounds;

pub(super) fn clusters(boxes: &[Bounds]) -> (Vec<u32>, Vec<Span>) {
    ((0..boxes.len() as u32).collect(), (0..).zip(boxes).map(|(i, b)| Span::new(b, i, 1)).collect())
}
