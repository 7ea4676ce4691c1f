//! Memory by type: only the module that uses a piece names its type, not the module that keeps it.
use std::any::{Any, TypeId};

/// Memory of several users, one piece for each type: made when it is first requested, and kept.
#[derive(Debug, Default)]
pub struct Memory(Vec<(TypeId, Box<dyn Any + Send + Sync>)>);

impl Memory {
    /// The piece of this type.
    pub fn get<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        let id = TypeId::of::<T>();
        let at = self.0.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.0.push((id, Box::new(T::default())));
            self.0.len() - 1
        });
        match self.0[at].1.downcast_mut() {
            Some(memory) => memory,
            None => unreachable!("stored under its own type"),
        }
    }
}
