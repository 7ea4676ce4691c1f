//! Refusal of invalid options, each by one error that names the kind and the option: a table over all.
use impinge::{ErrorKind, Quality, Threads};
use impinge_testkit::{meshes, ways::papers};
use impinge_volumes::{Fit, Kind, Options, Overlap, Split, kind_of, options_of, set_overlap};

/// True if both the check and the build accept the options.
fn is_taken(options: Options, named: &[&str]) -> bool {
    let (checked, built) = (options.check(), options.build(meshes::icosphere(0)));
    match (&checked, &built) {
        (Ok(()), Ok(model)) => {
            assert_eq!(model.validate(), Ok(()), "{options:?}");
            assert_eq!(kind_of(model), options.kind);
            // For the fast tree only the kind is stored.
            assert!(options.kind == Kind::Wide || options_of(model) == options, "{options:?}");
        }
        (Err(error), Err(same)) => {
            assert_eq!(error, same, "{options:?}");
            assert!(matches!(error.kind(), ErrorKind::UnsupportedOption { .. }), "{options:?}: {error}");
            let text = error.to_string();
            assert!(
                named.iter().all(|name| text.contains(name)) && !text.contains('\n'),
                "{named:?}: {text}"
            );
        }
        _ => panic!("{options:?}: checked {checked:?}, built {built:?}"),
    }
    checked.is_ok()
}

#[test]
fn what_a_kind_cannot_do_is_refused() {
    let [mut taken, mut refused] = [0; 2];
    let mut tell = |is: bool, may: bool, options: Options| {
        assert_eq!(is, may, "{options:?}");
        if is { taken += 1 } else { refused += 1 }
    };
    for &kind in Kind::ALL {
        let (plain, name, wide) = (Options::new(kind), kind.name(), kind == Kind::Wide);
        for &fit in Fit::ALL {
            let may = fit == Fit::Auto || kind.fits().contains(&fit);
            tell(is_taken(plain.fit(fit), &[name, fit.name()]), may, plain.fit(fit));
        }
        for &overlap in Overlap::ALL {
            let may = overlap == Overlap::Auto || kind.overlaps().contains(&overlap);
            let options = plain.overlap(overlap);
            tell(is_taken(options, &[name, overlap.name()]), may, options);
            // The corresponding check of an existing model, which otherwise keeps its state.
            let mut model = plain.build(meshes::icosphere(0)).unwrap();
            assert_eq!(set_overlap(&mut model, overlap), options.check());
            let kept = if may && !wide { overlap } else { Overlap::Auto };
            assert_eq!(options_of(&model).overlap, kept, "{options:?}");
        }
        for &split in Split::ALL {
            let may = split == Split::Auto || !wide;
            tell(is_taken(plain.split(split), &[name, split.name()]), may, plain.split(split));
        }
        for arity in (0..10).chain([usize::MAX]) {
            let may = arity == 0 || kind.arities().contains(&arity);
            tell(is_taken(plain.arity(arity), &[name, &arity.to_string()]), may, plain.arity(arity));
        }
        for leaf_size in (0..10).chain([usize::MAX]) {
            let options = plain.leaf_size(leaf_size);
            tell(is_taken(options, &[&leaf_size.to_string()]), leaf_size <= 8, options);
        }
        for &quality in Quality::ALL {
            let may = wide || quality == Quality::High;
            tell(is_taken(plain.quality(quality), &[name, quality.name()]), may, plain.quality(quality));
        }
        tell(is_taken(plain.compact(true), &[name, "compact"]), wide, plain.compact(true));
        for threads in [Threads::One, Threads::Pool] {
            tell(is_taken(plain.threads(threads), &[]), true, plain.threads(threads));
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > 300 && refused > 200, "{taken} taken, {refused} refused");
}

/// Several invalid options are one error, too.
#[test]
fn the_first_that_is_wrong_is_told() {
    for kind in papers() {
        let all = Options::new(kind).compact(true).quality(Quality::Fast).arity(3).leaf_size(99);
        assert!(!is_taken(all, &["leaf size 99"]));
    }
}

#[test]
fn every_kind_has_a_name_of_its_own_and_lists_its_defaults_first() {
    for (n, &kind) in Kind::ALL.iter().enumerate() {
        assert!(Kind::ALL[..n].iter().all(|other| other.name() != kind.name()), "{kind:?}");
        assert!(!kind.fits().is_empty() && !kind.overlaps().is_empty() && kind.arities().is_sorted());
        let about = kind.about();
        assert!(about.node_bytes > about.volume_bytes && !about.paper.is_empty(), "{kind:?}: {about:?}");
    }
}
