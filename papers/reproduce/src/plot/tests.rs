use super::{axis::Division, legend::LEGEND_LINE, scale::tick, *};

fn curve(name: &str, points: &[(f64, f64)], mark: Mark) -> Series {
    Series { name: name.into(), points: points.to_vec(), mark }
}

fn panels() -> Vec<Panel> {
    let points = [(1.0, 10.0), (2.0, 300.0), (4.0, 90.0)];
    vec![
        Panel::Curves {
            title: "a < b".into(),
            x: Axis::linear("distance"),
            y: Axis::log("time (us)"),
            series: vec![curve("one", &points, Mark::Points), curve("a fit", &points, Mark::Dashes)],
        },
        Panel::Bars {
            title: "bars".into(),
            groups: vec!["first".into(), "second".into()],
            x: "group".into(),
            y: Axis::linear("share (%)"),
            series: vec![("one".into(), vec![1.0, f64::NAN])],
        },
    ]
}

#[test]
fn a_figure_names_its_axes_units_and_series() {
    let svg = svg(&panels(), 2).unwrap();
    for word in [
        "a &lt; b",
        "distance",
        "time (us)",
        "share (%)",
        "one",
        "a fit",
        "first",
        "second",
        "\n100\n",
        FALLBACKS,
    ] {
        assert!(svg.contains(word), "{word}: {svg}");
    }
    // Once in the legend, although both panels have it.
    assert_eq!(svg.matches("\none\n").count(), 1, "{svg}");
}

#[test]
fn a_figure_becomes_a_picture_with_letters_in_it() {
    let drawn = svg(&panels(), 2).unwrap();
    let with = png(&drawn).unwrap();
    assert_eq!(with[..8], *b"\x89PNG\r\n\x1a\n");
    let big = |at: usize| u32::from_be_bytes(with[at..at + 4].try_into().unwrap());
    assert_eq!((big(16), big(20)), (4 * WIDTHS[1], 2 * (HEIGHT + LEGEND_LINE + 14)));
    // Without the embedded font there would be none.
    let without = png(&drawn.replace("<text", "<text display=\"none\"")).unwrap();
    assert!(with.len() > without.len() + 1000, "{} {}", with.len(), without.len());
    assert!(png("<svg").is_err());
}

#[test]
fn nothing_to_draw_is_an_empty_figure() {
    let empty = Panel::Curves {
        title: "none".into(),
        x: Axis::log("x"),
        y: Axis::log("y"),
        series: vec![curve("none", &[], Mark::Line), curve("bad", &[(f64::NAN, 1.0)], Mark::Dots)],
    };
    assert!(svg(&[empty], 1).unwrap().contains("none"));
}

#[test]
fn rows_stand_from_the_top_in_their_order_with_their_numbers() {
    let row = |name: &str, middle: f64| {
        (name.to_owned(), Spread { middle, least: 0.5 * middle, most: 3.0 * middle })
    };
    let rows = Panel::Rows {
        title: "rows".into(),
        rows: vec![row("upper", 1.0), row("lower", 12.34)],
        x: Axis::log("times"),
        legend: ["mean".into(), "from to".into()],
    };
    let svg = svg(&[rows], 1).unwrap();
    let at = |word: &str| {
        let end = svg.find(&format!("\n{word}\n")).unwrap_or_else(|| panic!("{word}: {svg}"));
        let tag = &svg[svg[..end].rfind("<text").unwrap()..end];
        let number = |name: &str| -> i32 {
            tag.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        [number("x"), number("y")]
    };
    let [upper, lower, one, twelve] = ["upper", "lower", "1.00", "12.3"].map(at);
    assert!(upper[1] < lower[1] && (upper[1] - one[1]).abs() < 12 && (lower[1] - twelve[1]).abs() < 12);
    // The names on the left of the plot, the numbers on the right.
    assert!(upper[0] < 130 && one[0] > 740 && one[0] == twelve[0], "{upper:?} {one:?}");
    for word in ["rows", "times", "mean", "from to"] {
        assert!(svg.contains(word), "{word}");
    }
}

#[test]
fn ticks_are_few_and_round() {
    for (value, text) in [
        (0.0, "0"),
        (20_000.0, "20k"),
        (5000.0, "5000"),
        (0.3, "0.3"),
        (1.5e6, "1.5M"),
        (10.0, "10"),
        (0.001, "0.001"),
    ] {
        assert_eq!(tick(value), text);
    }
    let ticks = |division, values: &[f64]| Scale::holding(division, values.iter().copied()).ticks();
    assert_eq!(ticks(Division::Linear, &[3.0, 100.0]), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
    assert_eq!(ticks(Division::Log, &[1.0, 90.0]), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
    for hi in [1e-6, 0.7, 3.0, 1e9] {
        let n = ticks(Division::Linear, &[hi]).len();
        assert!((3..=8).contains(&n), "{hi}: {n}");
    }
}
