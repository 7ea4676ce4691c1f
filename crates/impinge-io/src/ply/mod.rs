//! Reads PLY, ASCII and both binary byte orders. The parser is ours: `ply-rs-bw` names no place in a binary
//! body.
//!
//! Faces come from the element `face` (polygons become fans) and from `tristrips`. The reader skips other
//! elements by their declared sizes, with a warning.
mod body;
mod header;

use self::{
    body::{Ascii, Big, Binary, Body, Little},
    header::{Element, Encoding, Header, Property, PropertyKind},
};
use crate::{
    Error,
    error::Place,
    polygon::{Fan, Polygons},
    quote::quoted,
    rounding,
    sink::Sink,
    used_points::used_points,
};

pub(crate) fn parse(bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
    let (header, lines) = Header::parse(bytes)?;
    match header.encoding {
        Encoding::Ascii => read(&header, Ascii::new(lines), sink),
        Encoding::Little => read(&header, Binary::<Little>::new(bytes, header.body), sink),
        Encoding::Big => read(&header, Binary::<Big>::new(bytes, header.body), sink),
    }
}

fn read(header: &Header, mut body: impl Body, sink: &mut Sink) -> Result<(), Error> {
    let vertices = header.elements.iter().find(|e| e.name == "vertex").map_or(0, |e| e.count);
    let mut faces =
        Faces { vertices, points: Vec::new(), triangles: Vec::new(), polygons: Polygons::default() };
    for element in &header.elements {
        check_room(element, &body)?;
        match &element.name[..] {
            "vertex" => faces.points = read_points(element, &mut body)?,
            "face" | "tristrips" => read_faces(element, &mut body, &mut faces)?,
            name => {
                if element.count > 0 {
                    sink.warn(
                        body.place(),
                        format!("{} rows of the element '{}' are not read", element.count, quoted(name)),
                    );
                }
                // Rows without a property take no room, so the header may declare any number of them.
                let rows = if element.properties.is_empty() { 0 } else { element.count };
                for _ in 0..rows {
                    body.begin_row(element)?;
                    element.properties.iter().try_for_each(|p| skip(p, &mut body))?;
                    body.end_row(element)?;
                }
            }
        }
    }
    if body.left() > 0 {
        sink.warn(body.place(), format!("{} bytes after the last element are skipped", body.left()));
    }
    faces.polygons.finish(&faces.points, std::iter::once(&mut faces.triangles));
    faces.polygons.warn(sink);
    let mesh = used_points(faces.points, faces.triangles)
        .map_err(|e| Error::invalid(Place::File, "its faces do not make a mesh").because(e))?;
    let rounding = header.has_f32_points().then(|| rounding::of_f32(&mesh));
    sink.whole(mesh, rounding)
}

/// Refuses a count that the rest of the file has no room for, before anything is allocated by it.
fn check_room(element: &Element, body: &impl Body) -> Result<(), Error> {
    let row = element.properties.iter().map(|p| body.least(p.kind)).sum::<u64>();
    if element.count.saturating_mul(row) > body.room().saturating_add(1) {
        let what = format!(
            "the header announces {} rows of the element '{}', of at least {row} bytes each, \
             but only {} bytes follow",
            element.count,
            quoted(&element.name),
            body.left()
        );
        return Err(Error::invalid(body.place(), what));
    }
    Ok(())
}

fn read_points(element: &Element, body: &mut impl Body) -> Result<Vec<[f64; 3]>, Error> {
    let mut axes = [false; 3];
    let plan: Vec<Option<usize>> = element
        .properties
        .iter()
        .map(|p| {
            let axis = ["x", "y", "z"].iter().position(|axis| *axis == p.name)?;
            axes[axis] |= matches!(p.kind, PropertyKind::Scalar(_));
            Some(axis)
        })
        .collect();
    if let Some(axis) = axes.iter().position(|found| !found) {
        let what = format!("the element 'vertex' has no number '{}'", ["x", "y", "z"][axis]);
        return Err(Error::line(element.line, what));
    }
    // `check_room` has compared the count with the bytes that follow.
    let mut points = Vec::with_capacity(element.count as usize);
    for i in 0..element.count {
        body.begin_row(element)?;
        let mut point = [0.0; 3];
        for (property, axis) in element.properties.iter().zip(&plan) {
            match (property.kind, axis) {
                (PropertyKind::Scalar(scalar), Some(axis)) => {
                    let place = body.place();
                    let value = body.number(scalar)?;
                    if !value.is_finite() {
                        return Err(Error::invalid(
                            place,
                            format!("vertex {i}: {} is {value}", property.name),
                        ));
                    }
                    point[*axis] = value;
                }
                _ => skip(property, body)?,
            }
        }
        body.end_row(element)?;
        points.push(point);
    }
    Ok(points)
}

struct Faces {
    /// Number of vertices that the header declares: `points` may come after the faces.
    vertices: u64,
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    polygons: Polygons,
}

fn read_faces(element: &Element, body: &mut impl Body, out: &mut Faces) -> Result<(), Error> {
    let is_corners = |p: &Property| {
        matches!(p.kind, PropertyKind::List { .. })
            && (p.name == "vertex_indices" || p.name == "vertex_index")
    };
    let Some(corners) = element.properties.iter().position(is_corners) else {
        if element.count == 0 {
            return Ok(());
        }
        let what = format!("the element '{}' has no list 'vertex_indices'", element.name);
        return Err(Error::line(element.line, what));
    };
    let strips = element.name == "tristrips";
    for row in 0..element.count {
        body.begin_row(element)?;
        for (i, property) in element.properties.iter().enumerate() {
            match property.kind {
                PropertyKind::List { count, item } if i == corners => {
                    let place = body.place();
                    let n = body.count(count)?;
                    let corners = Corners { n, item, element: &element.name, row };
                    if strips { corners.strip(place, body, out)? } else { corners.fan(place, body, out)? }
                }
                _ => skip(property, body)?,
            }
        }
        body.end_row(element)?;
    }
    Ok(())
}

/// A list of corners that is about to be read.
struct Corners<'a> {
    n: u64,
    item: header::Scalar,
    element: &'a str,
    row: u64,
}

impl Corners<'_> {
    fn fan(&self, place: Place, body: &mut impl Body, out: &mut Faces) -> Result<(), Error> {
        let mut fan = Fan::default();
        for _ in 0..self.n {
            let place = body.place();
            let index = body.number(self.item)?;
            out.triangles.extend(fan.push(self.check(index, place, out.vertices)?));
        }
        out.polygons.close(&fan, &out.points, 0, &mut out.triangles, place);
        Ok(())
    }
    /// Every corner from the third on makes a triangle with the two before it; -1 starts a new strip.
    fn strip(&self, start: Place, body: &mut impl Body, out: &mut Faces) -> Result<(), Error> {
        let (mut before, mut last, mut length) = (0, 0, 0_u64);
        for _ in 0..self.n {
            let place = body.place();
            let index = body.number(self.item)?;
            if index == -1.0 {
                if (1..3).contains(&length) {
                    out.polygons.too_small(place);
                }
                length = 0;
                continue;
            }
            let corner = self.check(index, place, out.vertices)?;
            if length >= 2 {
                out.triangles.push(if length % 2 == 0 {
                    [before, last, corner]
                } else {
                    [last, before, corner]
                });
            }
            (before, last, length) = (last, corner, length + 1);
        }
        // A -1 may also end the last strip.
        if (1..3).contains(&length) {
            out.polygons.too_small(start);
        }
        Ok(())
    }
    #[inline]
    fn check(&self, index: f64, place: Place, vertices: u64) -> Result<u32, Error> {
        // The cast saturates; a value that it changes differs from the original.
        let corner = index as u32;
        if f64::from(corner) == index && u64::from(corner) < vertices {
            return Ok(corner);
        }
        let Self { element, row, .. } = self;
        Err(Error::invalid(
            place,
            format!("{element} {row} names vertex {index}; there are {vertices}, from 0"),
        ))
    }
}

fn skip(property: &Property, body: &mut impl Body) -> Result<(), Error> {
    match property.kind {
        PropertyKind::Scalar(scalar) => body.skip(scalar, 1),
        PropertyKind::List { count, item } => {
            let n = body.count(count)?;
            body.skip(item, n)
        }
    }
}
