use super::{
    deform::{DEFORMATIONS, Deformation},
    *,
};
use crate::{
    report::{Outcome, tests::check_what_verdicts_go_by},
    rounds::Timed,
};

#[test]
fn one_model_fills_every_table() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 20;
    let sections = [
        tables_of(&SCENES[..1], &settings, &mut ()).unwrap(),
        deformed_of(&SCENES[..1], &settings, &mut ()).unwrap(),
    ];
    for verdict in sections.iter().flat_map(|section| &section.verdicts) {
        // Twenty placements need not separate the costs of a volume test and of a pair of triangles.
        let fitted = verdict.rule.contains("determine both");
        assert!(fitted || verdict.outcome != Outcome::NotMeasured, "{}", verdict.claim);
    }
    let table = |name: &str| {
        sections.iter().flat_map(|section| &section.blocks).find_map(|block| match block {
            Block::Table(table) if table.file == name => Some(table.markdown()),
            _ => None,
        })
    };
    let operations = table("bergen97-table3").unwrap();
    for row in ["refit an AABB tree (ms)", "both AABB trees (KiB)", "both OBB trees (KiB)"] {
        assert!(operations.contains(&format!("| {row} |")), "{operations}");
    }
    let deformed = table("bergen97-deformed").unwrap();
    assert!(DEFORMATIONS.iter().all(|(name, _)| deformed.contains(name)), "{deformed}");
    let costs = table("bergen97-tables1-2").unwrap();
    assert!(contenders().iter().all(|c| costs.contains(&format!("| torus | {} |", c.name))), "{costs}");
    // Boxes along the axes need more tests of a torus than oriented ones: a count, so it is certain.
    let tests = &sections[0].verdicts[0].measured;
    let times: f64 = tests.trim_start_matches("torus ").trim_end_matches(" times.").parse().unwrap();
    assert!(times > 1.2, "{tests}");
}

fn same(seconds: f64) -> Timed {
    Timed::new([seconds; 3])
}

#[test]
fn a_frame_of_deformed_copies_is_two_updates_and_a_query() {
    let d = Deformation {
        name: "twist",
        decay: 1.5,
        update: [1.0, 10.0].map(same),
        seconds: [4.0, 2.0].map(same),
        tests: [30.0, 20.0],
    };
    assert_eq!([d.slower(), d.more_tests(), d.frame(0), d.frame(1)], [2.0, 1.5, 6.0, 22.0]);
}

#[test]
fn verdicts_say_whether_they_go_by_times() {
    let mut settings = Settings::new(None, true);
    settings.most_frames = 40;
    let mut models = measure(&SCENES[..1], &settings, &mut ()).unwrap();
    let before = claims::on_queries(&models);
    for model in &mut models {
        // More expensive by the volume test, so that the fitted costs change, too, and stay determined.
        for (n, run) in model.runs.iter_mut().enumerate() {
            for frame in &mut run.frames {
                frame.seconds += 1e-6 * (n + 1) as f64 * frame.count.volume_tests as f64;
            }
        }
        model.builds = [5.0, 3.0].map(same);
        model.refit.seconds *= 7.0;
    }
    check_what_verdicts_go_by(&before, &claims::on_queries(&models));
    let mut models = bend(&SCENES[..1], &settings, &mut ()).unwrap();
    let before = claims::on_deformations(&models);
    for model in &mut models {
        for (n, deformed) in model.deformed.iter_mut().enumerate() {
            deformed.update = [2.0, 3.0].map(same);
            deformed.seconds[0].seconds *= 2.0 + n as f64;
        }
    }
    check_what_verdicts_go_by(&before, &claims::on_deformations(&models));
}
