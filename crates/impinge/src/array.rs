//! Array that is owned, or part of shared bytes.
use bytemuck::Pod;
use std::{
    fmt,
    ops::Deref,
    panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe},
    sync::Arc,
};
use yoke::Yoke;

/// Owner of bytes that do not move: a mapped file, for instance.
pub(crate) trait Owner: Send + Sync + UnwindSafe + RefUnwindSafe {
    fn bytes(&self) -> &[u8];
}

/// `bytes` is called once and its result is only read, so a panic leaves nothing half done.
impl<T: AsRef<[u8]> + Send + Sync> Owner for AssertUnwindSafe<T> {
    fn bytes(&self) -> &[u8] {
        self.0.as_ref()
    }
}

/// Bytes, or items in them, with their owner, which lives as long as they are in use.
pub(crate) type Shared<T> = Yoke<&'static [T], Arc<dyn Owner>>;

pub(crate) fn share(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Shared<u8> {
    let owner: Arc<dyn Owner> = Arc::new(AssertUnwindSafe(owner));
    Yoke::attach_to_cart(owner, |owner| owner.bytes())
}

/// Array that is read as a slice. Shared items are copied before a change, so the bytes stay as they are.
///
/// Each read takes a branch: queries take the slice once (`TreeView` in `wide/tree.rs`).
pub(crate) enum Array<T: 'static> {
    Owned(Vec<T>),
    Shared(Shared<T>),
}

impl<T: Pod> Array<T> {
    /// Reads bytes as items; copies them if they are not aligned for items.
    ///
    /// The bytes must be a whole number of items.
    pub(crate) fn of_bytes(bytes: &Shared<u8>) -> Self {
        match bytes.try_map_project_cloned(|bytes, _| bytemuck::try_cast_slice(bytes)) {
            Ok(items) => Self::Shared(items),
            Err(_) => Self::Owned(bytemuck::pod_collect_to_vec(bytes.get())),
        }
    }
}

impl<T: Clone> Array<T> {
    /// The vector to change: shared contents are copied first.
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        if let Self::Shared(items) = self {
            *self = Self::Owned(items.get().to_vec());
        }
        match self {
            Self::Owned(items) => items,
            Self::Shared(_) => unreachable!("it was copied"),
        }
    }
    /// The vector to overwrite: shared contents are dropped, not copied.
    pub(crate) fn for_overwriting(&mut self) -> &mut Vec<T> {
        if let Self::Shared(_) = self {
            *self = Self::default();
        }
        self.to_mut()
    }
}

impl<T> Deref for Array<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        match self {
            Self::Owned(items) => items,
            Self::Shared(items) => items.get(),
        }
    }
}

impl<T> Default for Array<T> {
    fn default() -> Self {
        Self::Owned(Vec::new())
    }
}

impl<T> From<Vec<T>> for Array<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Owned(items)
    }
}

impl<T: Clone> Clone for Array<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Owned(items) => Self::Owned(items.clone()),
            Self::Shared(items) => Self::Shared(items.clone()),
        }
    }
}

impl<T: PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(feature = "serde")]
impl<T: serde::Serialize> serde::Serialize for Array<T> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}
