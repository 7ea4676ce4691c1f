//! parry3d-f64: `Bvh::leaf_pairs` over both trees, and a test of each pair.
use parry3d_f64 as parry;
type Real = f64;
const NAME: &str = "parry3d-f64";
const VERSION: &str = env!("PARRY_VERSION");
include!("../engine.rs");
