//! Exponential back-off.

/// Number of updates to wait before another try of something that did not pay. The wait doubles with each
/// failure, up to a limit, and halves with each success.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    /// Updates left of this wait.
    left: u32,
    /// The length of the next wait. 0 means another try at once after the next failure.
    next: u32,
}

/// The longest wait, in updates.
const LONGEST: u32 = 32;

impl Backoff {
    /// True if this update is part of a wait; it then counts.
    pub fn waits(&mut self) -> bool {
        let waits = self.left > 0;
        self.left = self.left.saturating_sub(1);
        waits
    }
    /// Notes a success.
    pub fn succeeded(&mut self) {
        self.next /= 2;
    }
    /// Notes a failure. Returns whether a wait begins: none does after the first failure, which may be the
    /// only one.
    pub fn failed(&mut self) -> bool {
        self.left = self.next;
        self.next = (2 * self.next).clamp(1, LONGEST);
        self.left > 0
    }
}
