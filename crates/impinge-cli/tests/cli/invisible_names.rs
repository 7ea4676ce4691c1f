//! Names with characters that turn the direction of others, or are not seen: written as escapes for people, and
//! as they are in JSON.
use crate::common::{Folder, error, json, stdout};

#[test]
fn no_name_reads_as_another() {
    let folder = Folder::new();
    let cube = |name: &str, first: u32| {
        let corners = |i: u32| [i & 1, i >> 1 & 1, i >> 2].map(|x| x.to_string()).join(" ");
        let points: String = (0..8).map(|i| format!("v {}\n", corners(i))).collect();
        let face =
            |[a, b, c, d]: [u32; 4]| format!("f {} {} {} {}\n", first + a, first + b, first + c, first + d);
        let faces: String =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
                .map(face)
                .concat();
        format!("o {name}\n{points}{faces}")
    };
    for (c, escaped) in [
        ('\u{202e}', r"\u{202e}"),
        ('\u{2066}', r"\u{2066}"),
        ('\u{200f}', r"\u{200f}"),
        ('\u{61c}', r"\u{61c}"),
    ] {
        let name = format!("bolt{c}txt");
        let file = folder.file("names.obj", cube(&name, 1) + &cube("nut", 9));
        let shown = format!("bolt{escaped}txt");
        for format in ["table", "markdown", "junit", "dot"] {
            let text = stdout(1, &[&"check", &file, &"--format", &format]);
            // A string of DOT has two backslashes for one.
            let shown = if format == "dot" { shown.replace('\\', r"\\") } else { shown.clone() };
            assert!(text.contains(&shown) && !text.contains(c), "{format}: {text}");
        }
        let text = stdout(0, &[&"info", &file, &"--all"]);
        assert!(text.contains(&shown) && !text.contains(c), "{text}");
        let text = stdout(1, &[&"check", &file, &"--format", &"json"]);
        assert!(text.contains(&format!("bolt\\u{:04x}txt", u32::from(c))) && !text.contains(c), "{text}");
        let report = json(1, &[&"check", &file, &"--format", &"json"]);
        assert_eq!(report["parts"][0]["name"], name);
        // Errors repeat names of files, and words of their content.
        let wrong = folder.file(&format!("{name}.obj"), format!("v 0 0 {name}\n"));
        let said = error(&[&"check", &wrong]);
        assert!(said.contains(&format!("{shown}.obj")) && !said.contains(c), "{said}");
    }
}
