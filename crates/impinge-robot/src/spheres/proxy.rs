//! impinge's own JSON.
use super::json::{self, Entries};
use crate::{
    error::Error,
    model::{Capsule, LinkSpheres, Sphere, SphereFormat, SphereModel},
    quote::shown,
};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The value of `format`.
pub(super) const NAME: &str = "impinge-proxy";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProxyFile<'t> {
    format: String,
    version: u64,
    #[serde(borrow)]
    links: Entries<ProxyLink<'t>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProxyLink<'t> {
    #[serde(borrow, default)]
    spheres: Vec<(f64, f64, f64, &'t RawValue)>,
    #[serde(borrow, default)]
    capsules: Vec<(f64, f64, f64, f64, f64, f64, &'t RawValue)>,
}

/// Reads a text.
pub(super) fn parse(text: &str) -> Result<SphereModel, Error> {
    let file: ProxyFile<'_> = json::read(text)?;
    let at = |word: &str| text.find(word).unwrap_or(0);
    if file.format != NAME {
        let what = format!("the format '{}' is unknown; known is '{NAME}'", shown(&file.format));
        return Err(Error::at(text, at("\"format\""), what));
    }
    if file.version != 1 {
        let what = format!("version {} of the format is unknown; this program reads version 1", file.version);
        return Err(Error::at(text, at("\"version\""), what));
    }
    let links = file.links.0.into_iter().map(|(name, link)| {
        let spheres = link
            .spheres
            .iter()
            .map(|&(x, y, z, r)| Ok(Sphere { center: [x, y, z], radius: json::radius(text, r)? }));
        let capsules = link.capsules.iter().map(|&(x0, y0, z0, x1, y1, z1, r)| {
            Ok(Capsule { ends: [[x0, y0, z0], [x1, y1, z1]], radius: json::radius(text, r)? })
        });
        Ok(LinkSpheres {
            spheres: spheres.collect::<Result<_, Error>>()?,
            capsules: capsules.collect::<Result<_, Error>>()?,
            ..LinkSpheres::new(Some(name))
        })
    });
    Ok(SphereModel::new(SphereFormat::Proxy, links.collect::<Result<_, Error>>()?))
}
