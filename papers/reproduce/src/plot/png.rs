//! PNG of an SVG, with the same font on every machine.
use super::style::FONT;
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

/// Pixels per unit of the SVG: sharp on dense screens.
const ZOOM: f32 = 2.0;

pub(crate) fn png(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: FONT.into(), ..Options::default() };
    options.fontdb_mut().load_font_data(dejavu::sans::regular().to_vec());
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size();
    let [width, height] = [size.width(), size.height()].map(|s| (ZOOM * s).ceil() as u32);
    let mut picture = Pixmap::new(width, height).ok_or("a picture without a size")?;
    resvg::render(&tree, Transform::from_scale(ZOOM, ZOOM), &mut picture.as_mut());
    picture.encode_png().map_err(|error| error.to_string())
}
