//! The lines of a baseline's file. Their first keys are their types.
use super::measures::{Measures, name_now};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, sync::Arc};

/// Version of the format. In versions 1 and 2 some relations have other names ([`name_now`]); version 1 has
/// no groups.
///
/// [`name_now`]: super::measures::name_now
pub(super) const VERSION: u64 = 3;

type Text<'a> = Cow<'a, str>;

#[derive(Serialize, Deserialize)]
pub(super) struct HeaderLine<'a> {
    pub(super) impinge_baseline: u64,
    /// Symbol of the unit of the sizes, if the files state one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unit: Option<Text<'a>>,
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub(super) groups: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FindingLine<'a> {
    pub(super) id: Text<'a>,
    pub(super) test: Text<'a>,
    pub(super) parts: Vec<Text<'a>>,
    /// For people; a reader ignores them.
    #[serde(default)]
    pub(super) names: Vec<Text<'a>>,
    pub(super) relation: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) volume: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) distance: Option<f64>,
    /// The lower bound, if it is not the number itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) volume_at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) depth_at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) distance_at_least: Option<f64>,
    pub(super) status: Text<'a>,
    pub(super) first: Text<'a>,
    pub(super) since: Text<'a>,
    /// Id of the group's first finding, if the group has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) not_examined: bool,
    /// The reference measures, if they differ from those of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<MeasuresText<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasuresText<'a> {
    pub(super) relation: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) volume: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) distance: Option<f64>,
    /// The lower bound, if it is not the number itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) volume_at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) depth_at_least: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) distance_at_least: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionLine<'a> {
    /// Id of the finding.
    pub(super) decision: Text<'a>,
    pub(super) status: Text<'a>,
    pub(super) reason: Text<'a>,
    pub(super) by: Text<'a>,
    pub(super) date: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lapsed: Option<Text<'a>>,
    pub(super) accepted: MeasuresText<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TopicLine<'a> {
    /// Id of the finding.
    pub(super) topic: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommentLine<'a> {
    /// Id of the finding.
    pub(super) comment: Text<'a>,
    pub(super) guid: Text<'a>,
    pub(super) date: Text<'a>,
    pub(super) by: Text<'a>,
    pub(super) text: Text<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContactLine<'a> {
    /// Keys of the parts.
    pub(super) contact: [Text<'a>; 2],
    pub(super) test: Text<'a>,
    /// For people; a reader ignores them.
    #[serde(default)]
    pub(super) names: Vec<Text<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeLine<'a> {
    pub(super) shape: ShapeText<'a>,
    pub(super) name: Text<'a>,
    pub(super) file: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<Text<'a>>,
    /// True if the last delivery does not have the parts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) missing: bool,
    pub(super) at: Vec<PartText<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeText<'a> {
    pub(super) points: u32,
    pub(super) triangles: u32,
    pub(super) hash: Text<'a>,
    pub(super) area: f64,
    pub(super) volume: f64,
    pub(super) spread: [f64; 3],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartText<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) guid: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<Text<'a>>,
    pub(super) place: [f64; 3],
    pub(super) turn: [[f64; 3]; 2],
}

impl<'a> MeasuresText<'a> {
    pub(super) fn of(measures: &'a Measures) -> Self {
        let Measures { relation, volume, depth, distance } = measures;
        let upper = |bounds: &Option<[f64; 2]>| bounds.map(|[_, hi]| hi);
        let lower = |bounds: &Option<[f64; 2]>| bounds.filter(|[lo, hi]| lo != hi).map(|[lo, _]| lo);
        Self {
            relation: Cow::Borrowed(relation),
            volume: upper(volume),
            depth: upper(depth),
            distance: upper(distance),
            volume_at_least: lower(volume),
            depth_at_least: lower(depth),
            distance_at_least: lower(distance),
        }
    }
    /// The measures. `text` makes the shared text of the relation.
    pub(super) fn read(&self, text: impl FnOnce(&str) -> Arc<str>) -> Result<Measures, String> {
        let bounds = |upper: Option<f64>, lower: Option<f64>| match (upper, lower) {
            // JSON has no infinity, but 1e999 is one.
            (hi, lo) if hi.into_iter().chain(lo).any(|x| !x.is_finite()) => {
                Err("a number is too large".to_owned())
            }
            (Some(hi), lo) if lo.is_none_or(|lo| lo <= hi) => Ok(Some([lo.unwrap_or(hi), hi])),
            (None, None) => Ok(None),
            _ => Err("a lower bound (..._at_least) is above its number, or has none".to_owned()),
        };
        Ok(Measures {
            relation: text(name_now(&self.relation)),
            volume: bounds(self.volume, self.volume_at_least)?,
            depth: bounds(self.depth, self.depth_at_least)?,
            distance: bounds(self.distance, self.distance_at_least)?,
        })
    }
}
