//! Serialization of options by name; an unknown name is refused with an error that contains it.
use impinge_volumes::{Fit, Kind, Overlap, Split};
use serde_json::{from_value, json, to_value};

macro_rules! by_name { ($($choice:ident),*) => { $({
    for &choice in $choice::ALL {
        assert_eq!(to_value(choice).unwrap(), json!(choice.name()));
        assert_eq!(from_value::<$choice>(json!(choice.name())).unwrap(), choice);
    }
    let error = from_value::<$choice>(json!("nonsense")).unwrap_err().to_string();
    let names = $choice::ALL.iter().all(|choice| error.contains(choice.name()));
    assert!(error.contains("`nonsense`") && names, "{error}");
    assert!(from_value::<$choice>(json!(1)).is_err());
})* } }

#[test]
fn choices_are_written_by_their_names() {
    by_name!(Fit, Kind, Overlap, Split);
}
