//! Topics of BCF files with their statuses and comments, and files that people made.
use impinge_check::{Date, values::Guid};
use impinge_exchange::BcfTopics;
use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, Write},
    path::Path,
};
use zip::{ZipWriter, write::SimpleFileOptions};

const GUID: &str = "6b61ce71-1a7a-473c-8f87-4262e0bdb41a";

fn package(files: &[(&str, &str)]) -> Vec<u8> {
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        package.start_file(*name, SimpleFileOptions::default()).unwrap();
        package.write_all(text.as_bytes()).unwrap();
    }
    package.finish().unwrap().into_inner()
}

fn today() -> Date {
    Date::new(2027, 3, 1).unwrap()
}

/// The same topic in the shape of each version.
fn markups() -> [(&'static str, String); 3] {
    let comment = |inner: &str| {
        format!(
            "<Comment Guid=\"{GUID}\">{inner}<Date>2026-05-04T03:02:01Z</Date><Author>Ann</Author><Comment>a &lt;b&gt;\n\
             c</Comment></Comment>"
        )
    };
    let of_1 = comment("<VerbalStatus>Offen</VerbalStatus><Status>Unknown</Status>");
    let of_1 = of_1.replace("</Comment></Comment>", &format!("</Comment><Topic Guid=\"{GUID}\"/></Comment>"));
    let fields = "<Title>T</Title><CreationDate>2026-01-01T00:00:00</CreationDate><CreationAuthor>Bob\
                  </CreationAuthor><Description>x 0123456789abcdef: y, 0123456789ABCDEF</Description>";
    let attributes = format!("Guid=\"{GUID}\" TopicType=\"Clash\" TopicStatus=\"Offen\"");
    [
        ("1.0", format!("<Markup><Topic Guid=\"{GUID}\"><Title>T</Title></Topic>{of_1}</Markup>")),
        ("2.1", format!("<Markup><Topic {attributes}>{fields}</Topic>{}</Markup>", comment(""))),
        (
            "3.0",
            format!(
                "<Markup><Topic {attributes}>{fields}<Comments>{}</Comments></Topic></Markup>",
                comment("")
            ),
        ),
    ]
}

#[test]
fn the_shape_gives_the_version() {
    for (version, markup) in markups() {
        let name = format!("{GUID}/markup.bcf");
        let read = BcfTopics::parse(&package(&[(&name, &markup)]), "a.bcf").unwrap();
        assert_eq!(read.version, version);
        let [topic] = &read.topics[..] else { panic!("{version}") };
        assert_eq!((&*topic.title, topic.status.as_deref()), ("T", Some("Offen")), "{version}");
        let imported = topic.imported(today()).unwrap();
        assert_eq!(imported.guid.to_string(), GUID);
        assert_eq!((imported.date.to_string(), &*imported.by), ("2026-05-04".to_owned(), "Ann"));
        let comment = &imported.comments[0];
        assert_eq!((&*comment.by, &*comment.text, comment.guid), ("Ann", "a <b>\nc", imported.guid));
        let members: Vec<String> = imported.members.iter().map(ToString::to_string).collect();
        assert_eq!(members, if version == "1.0" { vec![] } else { vec!["0123456789abcdef"] });
        // A stated version takes precedence.
        let stated = package(&[("bcf.version", "<Version VersionId=\"2.0\"/>"), (&name, &markup)]);
        assert_eq!(BcfTopics::parse(&stated, "a.bcf").unwrap().version, "2.0");
    }
}

#[test]
fn what_is_missing_is_made_up_for() {
    let markup = "<Markup><Topic Guid=\"x\" TopicStatus=\" \"/><Comment><Date>yesterday</Date><Comment>one\ntwo\
                  </Comment></Comment><Comment/></Markup>";
    let read = BcfTopics::parse(&package(&[(&format!("{GUID}/markup.bcf"), markup)]), "a").unwrap();
    let topic = &read.topics[0];
    // The folder's name is the topic's GUID.
    assert_eq!((topic.guid, &*topic.title), (Guid::parse(GUID), "one"));
    let imported = topic.imported(today()).unwrap();
    assert_eq!((imported.status, &*imported.by, imported.date), (None, "unknown", today()));
    assert_eq!(imported.comments.len(), 1);
    assert_eq!((&*imported.comments[0].date, &*imported.comments[0].by), ("2027-03-01T00:00:00Z", "unknown"));
    let without = package(&[("x/markup.bcf", markup)]);
    let topic = &BcfTopics::parse(&without, "a").unwrap().topics[0];
    assert!(topic.guid.is_none() && topic.imported(today()).is_none());
}

#[test]
fn broken_packages_give_one_error() {
    let twice = package(&[("x/markup.bcf", "<Markup/>"), ("x//markup.bcf", "<Markup/>")]);
    assert!(BcfTopics::parse(&twice, "a").is_ok());
    for (bytes, why) in [
        (package(&[("a.txt", "")]), "list: is no BCF package"),
        (package(&[("x/markup.bcf", "<Markup>")]), "x/markup.bcf: byte 8: the file ends too early"),
        (package(&[("bcf.version", "<a></b>")]), "bcf.version: "),
        (b"PK\x03\x04".to_vec(), "as a BCF package"),
        (Vec::new(), "as a BCF package"),
    ] {
        let error = BcfTopics::parse(&bytes, "list").unwrap_err().to_string();
        assert!(error.contains(why) && !error.contains('\n'), "{error}\nexpected {why}");
    }
    let whole = package(&[(&format!("{GUID}/markup.bcf"), &markups()[2].1)]);
    for end in 0..whole.len() {
        let _ = BcfTopics::parse(&whole[..end], "list");
    }
    for i in 0..whole.len() {
        let mut bytes = whole.clone();
        for byte in [0, b'<', b'"', 0xFF] {
            bytes[i] = byte;
            if let Err(error) = BcfTopics::parse(&bytes, "list") {
                assert!(error.to_string().len() < 1000);
            }
        }
    }
}

#[test]
fn files_that_people_made_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/bcf/made-by-people");
    if !folder.exists() {
        let in_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
        assert!(!(in_ci && folder.join("../..").exists()), "there is no {}", folder.display());
        let _ = writeln!(std::io::stderr().lock(), "SKIPPED: there is no {}", folder.display());
        return;
    }
    let (mut files, mut topics, mut comments) = (0, 0, 0);
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let read = BcfTopics::parse(&fs::read(&path).unwrap(), "list").unwrap();
        assert_eq!(read.version, "1.0", "{}", path.display());
        files += 1;
        topics += read.topics.len();
        for topic in &read.topics {
            *words.entry(topic.status.clone().unwrap()).or_default() += 1;
            let imported = topic.imported(today()).unwrap();
            assert!(imported.date < today() && &*imported.by != "unknown", "{topic:?}");
            comments += imported.comments.len();
        }
    }
    // Counted with a script of Python: files markup.bcf, and elements Comment that have a text.
    assert_eq!((files, topics), (18, 67));
    assert_eq!(comments, 71);
    // Three files have topics without a word: their status is the degree of severity.
    assert!(words.contains_key("MULTICOM") && words["Unknown"] < 10, "{words:?}");
}
