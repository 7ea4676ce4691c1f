//! Colours, in integers.

/// Red, green, blue.
pub(super) type Color = [u8; 3];

/// A colour in light from 0 to 255.
pub(super) fn lit(color: Color, light: u8) -> Color {
    color.map(|c| (u32::from(c) * u32::from(light) / 255) as u8)
}

/// Mixes two colours: `share` 256ths are of the other one.
pub(super) fn mix(color: Color, other: Color, share: u32) -> Color {
    [0, 1, 2].map(|k| ((u32::from(color[k]) * (256 - share) + u32::from(other[k]) * share) / 256) as u8)
}
