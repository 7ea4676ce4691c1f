//! CAD models and robots that were never used for tuning, each tumbling against itself as the motor does.
use super::{
    Family,
    entry::{Draft, Entry},
    error::Error,
    models::Models,
    tumbling::soup,
};

/// One in this number of Zachmann's steps: slower rivals must finish within the race's time limit.
const EVERY: u32 = 50;

const fn entry(
    name: &'static str,
    about: &'static str,
    make: fn(&mut Models<'_>) -> Result<Draft, Error>,
) -> Entry {
    Entry { name, about, family: Family::Own, make }
}

pub(super) const SCENES: &[Entry] = &[
    entry(
        "held-axis",
        "held out: the axis of a bearing, B-rep faces meshed, tumbling at 8 distances",
        |models| Ok(soup(&models.assembly("brep_Axis_of_bearing.obj", 0)?, 60, EVERY)),
    ),
    entry(
        "held-as1",
        "held out: the STEP assembly as1, plates and bolts, tumbling at 8 distances",
        |models| Ok(soup(&models.assembly("asm_as1_oc_214.obj", 0)?, 62, EVERY)),
    ),
    entry(
        "held-voron",
        "held out: a printer's circuit board on its rail mount, tumbling at 8 distances",
        |models| Ok(soup(&models.assembly("asm_voron_SKR_E3_V3_Din_Mount.obj", 0)?, 64, EVERY)),
    ),
    entry("held-ur5", "held out: the UR5 robot with all its links, tumbling at 8 distances", |models| {
        Ok(soup(&models.assembly("robot_ur5_robot.obj", 1)?, 66, EVERY))
    }),
    entry("held-panda", "held out: the Panda robot's collision meshes, tumbling at 8 distances", |models| {
        Ok(soup(&models.assembly("robot_panda_collision.obj", 0)?, 68, EVERY))
    }),
];
