//! Enums whose variants have names: the command line offers exactly these.

/// An enum whose variants are all listed and named.
#[doc(hidden)]
#[macro_export]
macro_rules! choice { (
    $(#[$doc:meta])*
    pub enum $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }
) => {
    $(#[$doc])*
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum $name { $($(#[$variant_doc])* $variant,)* }

    impl $name {
        /// All variants.
        pub const ALL: &[Self] = &[$(Self::$variant),*];
        /// The name on the command line.
        pub fn name(self) -> &'static str { match self { $(Self::$variant => $text),* } }
    }

    /// Writes the name.
    #[cfg(feature = "serde")]
    impl serde::Serialize for $name {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(self.name())
        }
    }

    /// Reads the name.
    #[cfg(feature = "serde")]
    impl<'de> serde::Deserialize<'de> for $name {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            $crate::choice::named(from, stringify!($name), Self::ALL, Self::name)
        }
    }
} }
pub use choice;

/// Reads a name, and finds the choice that has it.
#[cfg(feature = "serde")]
pub fn named<'de, D: serde::Deserializer<'de>, T: Copy>(
    from: D,
    what: &'static str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    use serde::{Deserialize, de::Error};
    // Owned: not every format can lend its text.
    let text = String::deserialize(from)?;
    all.iter().copied().find(|&choice| name(choice) == text).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&choice| name(choice)).collect();
        D::Error::custom(format_args!("no {what} is called `{text}`; there are {}", names.join(", ")))
    })
}
