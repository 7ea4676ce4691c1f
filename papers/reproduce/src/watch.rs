//! Progress of the work.
/// Receives the progress of the work.
pub trait Watch {
    /// A stage of so many steps begins.
    fn stage(&mut self, name: String, steps: usize);
    /// A step is done.
    fn step(&mut self);
}

/// Ignores the progress.
impl Watch for () {
    fn stage(&mut self, _name: String, _steps: usize) {}
    fn step(&mut self) {}
}
