//! Choices that have a name: what is offered on a command line is what there is here.

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
        /// Every one there is.
        pub const ALL: &[Self] = &[$(Self::$variant),*];
        /// As spelled on the command line.
        pub fn name(self) -> &'static str { match self { $(Self::$variant => $text),* } }
    }
} }
pub(crate) use choice;
