//! Keys of a baseline's parts.
use crate::{identity::PartIdentity, values::digest::Digest};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Makes unique keys for the parts of one delivery.
pub(super) struct Keys<'a> {
    parts: &'a [PartIdentity],
    guids: HashMap<&'a str, u32>,
    paths: HashMap<&'a str, u32>,
    names: HashMap<(&'a str, &'a str), u32>,
    used: HashSet<Arc<str>>,
}

impl<'a> Keys<'a> {
    /// `used` are the keys of other parts.
    pub(super) fn new(parts: &'a [PartIdentity], used: HashSet<Arc<str>>) -> Self {
        let (mut guids, mut paths, mut names) = (HashMap::new(), HashMap::new(), HashMap::new());
        for part in parts {
            part.guid.iter().for_each(|guid| *guids.entry(&**guid).or_default() += 1);
            part.path.iter().for_each(|path| *paths.entry(&**path).or_default() += 1);
            *names.entry((&*part.name, &*part.file)).or_default() += 1;
        }
        Self { parts, guids, paths, names, used }
    }
    /// A new key: the GUID, the path, or name and file, whichever is unique first; otherwise a hash of other
    /// properties.
    pub(super) fn add(&mut self, part: u32) -> Arc<str> {
        let part = &self.parts[part as usize];
        let is_one = |count: Option<&u32>| count == Some(&1);
        let guid = part.guid.as_deref().filter(|guid| is_one(self.guids.get(guid)));
        let path = part.path.as_deref().filter(|path| is_one(self.paths.get(path)));
        let key = if let Some(guid) = guid {
            format!("guid:{guid}")
        } else if let Some(path) = path {
            format!("path:{path}")
        } else if !part.name.is_empty() && is_one(self.names.get(&(&*part.name, &*part.file))) {
            format!("name:{}@{}", part.name, part.file)
        } else {
            let PartIdentity { name, file, class, shape, place, .. } = part;
            // Rust prints the shortest digits that identify a number, on every machine.
            let text = format!(
                "{name:?} {file:?} {class:?} {:?} {:?}",
                (shape.points, shape.triangles, shape.hash),
                place
            );
            format!("place:{}", &Digest::of(text.as_bytes()).to_string()[..16])
        };
        let mut free: Arc<str> = key.as_str().into();
        let mut count = 1;
        while self.used.contains(&free) {
            count += 1;
            free = format!("{key}~{count}").into();
        }
        self.used.insert(Arc::clone(&free));
        free
    }
}
