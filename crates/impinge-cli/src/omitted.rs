//! Numbers of parts that files have and an assembly has not, in words.
use impinge_check::values::numbers::count_of;
use impinge_io::{Omission, OmissionKind};

/// Sentences that follow others; empty if nothing is missing.
pub(crate) fn text(omissions: &[Omission]) -> String {
    let mut text = String::new();
    let of = |kind: OmissionKind| {
        let some = omissions.iter().filter(|omission| omission.kind == kind);
        some.map(|omission| omission.count as u64).sum::<u64>()
    };
    let (failed, left_out) = (of(OmissionKind::Failed), of(OmissionKind::LeftOut));
    if failed > 0 {
        let parts = count_of(failed, "part is", "parts are");
        text += &format!(
            " {parts} missing, in whole or in part, as no mesh could be made of what the files have."
        );
    }
    if left_out > 0 {
        text += &format!(" {} left out on purpose.", count_of(left_out, "part was", "parts were"));
    }
    text
}
