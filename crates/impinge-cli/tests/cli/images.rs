//! `impinge check --images`. The pictures themselves are tested in `crates/impinge-report/tests/pictures.rs`.
use crate::common::{Folder, error, json, run, stdout};
use std::fs;

/// Markdown shows the pictures of the same run, by their paths as seen from the page.
#[test]
fn markdown_shows_the_pictures() {
    let folder = Folder::new();
    let file = crate::formats::cubes(&folder, &["a", "b"], |_| Some(0.1));
    fs::create_dir_all(folder.path("pages/deep")).unwrap();
    let (images, page) = (folder.path("some pictures"), folder.path("pages/deep/c.md"));
    run(1, &[&"check", &file, &"--images", &images, &"-o", &page]);
    let text = fs::read_to_string(page).unwrap();
    let [picture] =
        &fs::read_dir(images).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()[..]
    else {
        panic!("{text}")
    };
    let address = format!("<img src=\"../../some%20pictures/{}\"", picture.to_str().unwrap());
    assert!(text.contains("| picture |") && text.contains(&address), "{text}");
    let alone = stdout(1, &[&"check", &file, &"--format", &"markdown"]);
    assert!(!alone.contains("<img"), "{alone}");
}

#[test]
fn a_picture_of_each_group() {
    let folder = Folder::new();
    let file = crate::formats::cubes(&folder, &["a", "b", "c"], |i| (i < 2).then_some(0.1 + 0.1 * i as f64));
    let (images, page) = (folder.path("images"), folder.path("c.html"));
    for _ in 0..2 {
        let output = run(1, &[&"check", &file, &"--images", &images, &"-o", &page]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("picture") && said.contains("written to"), "{said}");
        let groups = json(1, &[&"check", &file, &"--format", &"json"])["groups"]["groups"].clone();
        let mut names: Vec<_> = fs::read_dir(&images)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names.len(), groups.as_array().unwrap().len());
        // The ids are those of the page's links.
        let page = fs::read_to_string(&page).unwrap();
        for (i, name) in (1..).zip(names) {
            let id = name.strip_prefix(&format!("{i:03}-")).and_then(|name| name.strip_suffix(".png"));
            assert!(page.contains(&format!("\"key\":\"{}\"", id.unwrap())), "{name}");
            assert!(fs::read(images.join(name)).unwrap().starts_with(b"\x89PNG"));
        }
    }
    assert_eq!(folder.count(), 3);
}

#[test]
fn what_is_no_picture_is_not_replaced() {
    let folder = Folder::new();
    let file = crate::formats::cubes(&folder, &["a", "b"], |_| Some(0.1));
    let images = folder.path("images");
    fs::create_dir(&images).unwrap();
    fs::write(images.join("001-notes.txt"), "mine").unwrap();
    let said = error(&[&"check", &file, &"--images", &images]);
    assert!(said.contains("--images") && said.contains("001-notes.txt"), "{said}");
    let said = error(&[&"check", &file, &"--images", &folder.path("absent/images")]);
    assert!(said.contains("absent"), "{said}");
    let said = error(&[&"check", &file, &"--images", &file]);
    assert!(said.contains("--images"), "{said}");
    assert_eq!((fs::read(images.join("001-notes.txt")).unwrap(), folder.count()), (b"mine".to_vec(), 2));
}
