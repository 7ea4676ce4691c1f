//! Exponential back-off.

/// How long to wait after something that did not pay, before it is tried again. The wait doubles from failure
/// to failure, up to a limit, and halves with each success.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backoff {
    /// Updates that are still to be waited for.
    left: u32,
    /// The length of the next wait. 0: the next failure is tried again at once.
    next: u32,
}

/// The longest wait, in updates.
const LONGEST: u32 = 32;

impl Backoff {
    /// True if this update is one to wait for; it then counts as waited for.
    pub fn waits(&mut self) -> bool {
        let waits = self.left > 0;
        self.left = self.left.saturating_sub(1);
        waits
    }
    /// The update took little work.
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
