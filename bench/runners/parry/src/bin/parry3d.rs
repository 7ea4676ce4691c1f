//! parry3d: `Bvh::leaf_pairs` over both trees, and a test of each pair.
use parry3d as parry;
type Real = f32;
const NAME: &str = "parry3d";
const VERSION: &str = env!("PARRY_VERSION");
include!("../engine.rs");
