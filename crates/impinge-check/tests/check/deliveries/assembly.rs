//! Assemblies of boxes and bolts, and edits whose result is decidable.
//!
//! A part that moved looks like one that was deleted while a look-alike was added. So each family of
//! look-alikes either loses parts and gets them back in the same place, or moves them a little and copies
//! them; never both.
use impinge::{Mesh, Pose};
use impinge_check::{
    Part,
    baseline::{Delivery, Measures, Observed, ObservedParts},
    identity::{PartIdentity, PartNames},
};
use impinge_demo::rng::{Rng, nudge};
use std::{path::Path, sync::Arc};

/// Distance of the cells in which parts are.
const CELL: f64 = 10.0;

#[derive(Clone)]
struct Item {
    /// Its number in the generator.
    number: u64,
    family: usize,
    name: String,
    guid: u64,
    /// Its path in the hierarchy has this number.
    path: u64,
    file: usize,
    sides: [f64; 3],
    is_bolt: bool,
    center: [f64; 3],
    /// The place around which it moves.
    home: [f64; 3],
    is_there: bool,
    /// It was merged away or split for good.
    is_over: bool,
    /// The last delivery changed it.
    is_fresh: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Parts are deleted and come back.
    Deleting,
    /// Parts move and are copied.
    Moving,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guids {
    None,
    Kept,
    /// Every delivery has others.
    Renewed,
}

pub(crate) struct World {
    items: Vec<Item>,
    modes: Vec<Mode>,
    guids: Guids,
    has_paths: bool,
    /// Part of the names of files; it changes when they are renamed.
    week: u64,
    next_number: u64,
    next_cell: i64,
    /// The last edit renamed the files.
    files_renamed: bool,
}

impl World {
    pub(crate) fn new(rng: &mut Rng) -> Self {
        let guids = *rng.pick(&[Guids::None, Guids::Kept, Guids::Renewed]);
        let mut world = Self {
            items: Vec::new(),
            modes: Vec::new(),
            guids,
            has_paths: rng.one_in(4),
            week: 0,
            next_number: 1,
            next_cell: 0,
            files_renamed: false,
        };
        for _ in 0..rng.int(3, 8) {
            let sides = [0; 3].map(|_| rng.between(9.0, 14.0));
            let family = world.family(rng);
            world.add(family, sides, false, rng);
        }
        for _ in 0..rng.int(1, 2) {
            let sides = [2.0, 2.0, rng.between(4.0, 7.0)];
            let family = world.family(rng);
            for _ in 0..rng.int(2, 6) {
                world.add(family, sides, true, rng);
            }
        }
        world
    }
    fn family(&mut self, rng: &mut Rng) -> usize {
        self.modes.push(*rng.pick(&[Mode::Deleting, Mode::Moving]));
        self.modes.len() - 1
    }
    fn new_number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }
    /// A cell that no other part has or had.
    fn cell(&mut self, rng: &mut Rng) -> [f64; 3] {
        let cell = self.next_cell;
        self.next_cell += 1;
        let at = [cell % 3, cell / 3 % 3, cell / 9];
        at.map(|k| CELL * k as f64 + rng.between(-0.5, 0.5))
    }
    fn add(&mut self, family: usize, sides: [f64; 3], is_bolt: bool, rng: &mut Rng) -> usize {
        let number = self.new_number();
        let center = self.cell(rng);
        let name = if is_bolt { format!("bolt {family}") } else { format!("box {number}") };
        self.items.push(Item {
            number,
            family,
            name,
            guid: rng.next_u64(),
            path: number,
            file: rng.below(2) as usize,
            sides,
            is_bolt,
            center,
            home: center,
            is_there: true,
            is_over: false,
            is_fresh: true,
        });
        self.items.len() - 1
    }

    pub(crate) fn edit(&mut self, rng: &mut Rng) {
        self.items.iter_mut().for_each(|item| item.is_fresh = false);
        self.files_renamed = rng.one_in(4);
        self.week += u64::from(self.files_renamed);
        if rng.one_in(8) {
            self.move_all(rng);
            return;
        }
        for _ in 0..rng.int(1, 6) {
            let i = rng.below(self.items.len() as u64) as usize;
            // A part changes at most once a week, so that its old state is clear.
            if self.items[i].is_fresh || self.items[i].is_over {
                continue;
            }
            match rng.below(8) {
                0 | 1 => self.delete_or_return(i),
                2 | 3 => self.shift(i, rng),
                4 => self.copy(i, rng),
                5 => self.rename(i),
                6 => self.reshape(i, rng),
                _ => self.split_or_merge(i, rng),
            }
        }
    }
    fn members(&self, family: usize) -> usize {
        self.items.iter().filter(|item| item.family == family).count()
    }
    /// Deletes a part, or returns all missing parts of its family at once. A part without a finding in the
    /// baseline is unknown when it returns, and would be a look-alike of a missing one.
    fn delete_or_return(&mut self, i: usize) {
        let family = self.items[i].family;
        if self.modes[family] != Mode::Deleting {
            return;
        }
        let is_away =
            |item: &Item| item.family == family && !item.is_there && !item.is_fresh && !item.is_over;
        if self.items.iter().any(is_away) {
            if self.items.iter().any(|item| item.family == family && item.is_fresh) {
                return;
            }
            for item in self.items.iter_mut().filter(|item| item.family == family && !item.is_over) {
                (item.is_there, item.is_fresh) = (true, true);
            }
        } else if self.items[i].is_there {
            (self.items[i].is_there, self.items[i].is_fresh) = (false, true);
        }
    }
    /// Moves all parts by the same vector, unless some are missing: look-alikes would be matched with their
    /// old places.
    fn move_all(&mut self, rng: &mut Rng) {
        if self.items.iter().any(|item| !item.is_there) {
            return;
        }
        let by = [0; 3].map(|_| rng.between(-100.0, 100.0));
        for item in &mut self.items {
            (0..3).for_each(|k| {
                item.center[k] += by[k];
                item.home[k] += by[k];
            });
            item.is_fresh = true;
        }
    }
    fn shift(&mut self, i: usize, rng: &mut Rng) {
        let is_single = self.members(self.items[i].family) == 1;
        let item = &mut self.items[i];
        if self.modes[item.family] != Mode::Moving || !item.is_there {
            return;
        }
        let most = match (is_single, item.is_bolt) {
            (true, _) => 4.0,
            (_, true) => 0.6,
            (_, false) => 1.5,
        };
        // Back to where it was, with the findings that it had there.
        let most = if item.center != item.home && rng.one_in(2) { 0.0 } else { most };
        item.center = item.home.map(|x| x + rng.between(-most, most));
        item.is_fresh = true;
    }
    fn copy(&mut self, i: usize, rng: &mut Rng) {
        let item = &self.items[i];
        let Item { family, sides, is_bolt, guid, path, file, .. } = *item;
        // Look-alikes are farther from each other than they move.
        let is_at_home = item.center == item.home;
        if self.modes[family] != Mode::Moving || !item.is_there || !is_at_home || self.next_cell > 24 {
            return;
        }
        let name = item.name.clone();
        let copy = self.add(family, sides, is_bolt, rng);
        self.items[copy].name = name;
        self.items[copy].file = file;
        if rng.one_in(2) {
            // Copied with its GUID: neither has one that is unique.
            self.items[copy].guid = guid;
        }
        if rng.one_in(2) {
            self.items[copy].path = path;
        }
        self.items[i].is_fresh = true;
    }
    fn rename(&mut self, i: usize) {
        let number = self.new_number();
        if self.items[i].is_there {
            self.items[i].name = format!("renamed {number}");
            self.items[i].is_fresh = true;
        }
    }
    fn reshape(&mut self, i: usize, rng: &mut Rng) {
        let item = &self.items[i];
        if item.is_there && !item.is_bolt && self.members(item.family) == 1 {
            if rng.one_in(3) {
                // Large enough to contain others.
                self.items[i].sides = self.items[i].sides.map(|side| 1.4 * side);
            } else {
                self.items[i].sides[rng.below(3) as usize] *= rng.between(0.8, 1.25);
            }
            self.items[i].is_fresh = true;
        }
    }
    fn split_or_merge(&mut self, i: usize, rng: &mut Rng) {
        let is_single = |world: &Self, i: usize| {
            let item = &world.items[i];
            item.is_there && !item.is_bolt && !item.is_fresh && world.members(item.family) == 1
        };
        if !is_single(self, i) || self.files_renamed {
            return;
        }
        let keeps = rng.one_in(2);
        let other = rng.below(self.items.len() as u64) as usize;
        if rng.one_in(2) {
            // Two halves along x; the first may keep the name.
            let mut halves = [self.items[i].clone(), self.items[i].clone()];
            for (half, sign) in halves.iter_mut().zip([-1.0, 1.0]) {
                half.sides[0] /= 2.0;
                half.center[0] += sign * half.sides[0] / 2.0;
                half.home = half.center;
                half.is_fresh = true;
            }
            // The halves would have one shape: one gets a little smaller.
            halves[1].sides[1] *= 0.9;
            let [first, second] = halves;
            self.add_piece(second, rng);
            self.items[i].is_fresh = true;
            if keeps {
                self.items[i] = first;
            } else {
                self.items[i].is_there = false;
                self.items[i].is_over = true;
                self.add_piece(first, rng);
            }
        } else if other != i && is_single(self, other) {
            let ends = |k: usize, sign: f64| {
                [i, other].map(|i| self.items[i].center[k] + sign * self.items[i].sides[k] / 2.0)
            };
            let low = [0, 1, 2].map(|k| ends(k, -1.0)[0].min(ends(k, -1.0)[1]));
            let high = [0, 1, 2].map(|k| ends(k, 1.0)[0].max(ends(k, 1.0)[1]));
            let mut merged = self.items[i].clone();
            merged.sides = [0, 1, 2].map(|k| high[k] - low[k]);
            merged.center = [0, 1, 2].map(|k| (high[k] + low[k]) / 2.0);
            merged.home = merged.center;
            merged.is_fresh = true;
            // If one box contains the other, the result is that box.
            let is_grown = |i: usize| (0..3).any(|k| merged.sides[k] > 1.01 * self.items[i].sides[k]);
            if !is_grown(i) || !is_grown(other) {
                return;
            }
            for gone in [i, other] {
                self.items[gone].is_there = false;
                self.items[gone].is_over = true;
                self.items[gone].is_fresh = true;
            }
            if keeps {
                self.items[i] = merged;
            } else {
                self.add_piece(merged, rng);
            }
        }
    }
    /// Adds a part that is new.
    fn add_piece(&mut self, piece: Item, rng: &mut Rng) {
        let number = self.new_number();
        let family = self.family(rng);
        let name = format!("piece {number}");
        let guid = rng.next_u64();
        self.items.push(Item { number, path: number, family, name, guid, is_over: false, ..piece });
    }

    /// The delivery, and the number of each part. The last digits of coordinates differ every time.
    pub(crate) fn deliver(&mut self, rng: &mut Rng) -> (Delivery, Vec<u64>) {
        if self.guids == Guids::Renewed {
            self.items.iter_mut().for_each(|item| item.guid = rng.next_u64());
        }
        let mut there: Vec<&Item> = self.items.iter().filter(|item| item.is_there).collect();
        rng.shuffle(&mut there);
        let parts: Vec<Part> = there.iter().map(|item| self.part(item, rng)).collect();
        let mut findings = Vec::new();
        for (i, a) in there.iter().enumerate() {
            for (j, b) in there.iter().enumerate().skip(i + 1) {
                if let Some(measures) = overlap(a, b) {
                    let parts = ObservedParts::two(i as u32, j as u32);
                    findings.push(Observed { test: "check".into(), parts, measures });
                }
            }
        }
        rng.shuffle(&mut findings);
        let parts = PartIdentity::of(&parts, |_, _| PartNames::default());
        (Delivery { parts, findings, ..Delivery::default() }, there.iter().map(|item| item.number).collect())
    }
    fn part(&self, item: &Item, rng: &mut Rng) -> Part {
        let mesh = if item.is_bolt {
            Mesh::prism(item.sides[0] / 2.0, item.sides[2], 7).unwrap()
        } else {
            Mesh::cuboid(item.sides).unwrap()
        };
        let pose = Pose::from_translation(item.center).unwrap();
        // Moved in its own coordinates, or by its pose.
        let is_baked = rng.one_in(2);
        let points = mesh.points().iter().map(|v| {
            let v = if is_baked { pose.place(*v) } else { *v };
            v.map(|x| nudge(x, rng.int(-4, 4)))
        });
        let mesh = Mesh::new(points.collect(), mesh.triangles().to_vec()).unwrap();
        let file = format!("week-{}-{}.obj", self.week, item.file);
        let pose = if is_baked { Pose::IDENTITY } else { pose };
        let part = Part::new(item.name.as_str(), Path::new(&file), mesh, pose);
        let part = if self.has_paths { part.with_path(format!("house/{}", item.path)) } else { part };
        if self.guids == Guids::None { part } else { part.with_guid(item.guid.to_string()) }
    }
    /// The same delivery in another order, and the old place of each part.
    pub(crate) fn shuffled(&self, delivery: &Delivery, rng: &mut Rng) -> (Delivery, Vec<usize>) {
        let mut places: Vec<usize> = (0..delivery.parts.len()).collect();
        rng.shuffle(&mut places);
        let mut to = vec![0; places.len()];
        places.iter().zip(0_u32..).for_each(|(&from, i)| to[from] = i);
        let mut findings: Vec<Observed> = delivery
            .findings
            .iter()
            .map(|observed| {
                let [a, b] = [0, 1].map(|k| to[observed.parts.as_slice()[k] as usize]);
                let is_swapped = rng.one_in(2);
                let relation: Arc<str> = match &*observed.measures.relation {
                    "inside" if is_swapped => "contains".into(),
                    "contains" if is_swapped => "inside".into(),
                    _ => observed.measures.relation.clone(),
                };
                let parts = if is_swapped { ObservedParts::two(b, a) } else { ObservedParts::two(a, b) };
                let measures = Measures { relation, ..observed.measures.clone() };
                Observed { test: observed.test.clone(), parts, measures }
            })
            .collect();
        rng.shuffle(&mut findings);
        let parts = places.iter().map(|&i| delivery.parts[i].clone()).collect();
        (Delivery { parts, findings, ..Delivery::default() }, places)
    }
    /// Text about parts, for the message of a failing test.
    pub(crate) fn describe(&self, numbers: &[u64]) -> String {
        let guids = match self.guids {
            Guids::None => "no GUIDs",
            Guids::Kept => "GUIDs kept",
            Guids::Renewed => "GUIDs renewed",
        };
        let items = self.items.iter().filter(|item| numbers.contains(&item.number));
        let texts = items.map(|item| {
            let Item { number, name, center, home, is_there, is_fresh, .. } = item;
            format!("{number} '{name}' at {center:?} home {home:?} there {is_there} changed {is_fresh}")
        });
        format!("{guids}, files renamed {}: {}", self.files_renamed, texts.collect::<Vec<_>>().join("; "))
    }
}

/// Volume and depth of the overlap of two boxes.
fn overlap(a: &Item, b: &Item) -> Option<Measures> {
    let ends = |item: &Item, k: usize| [-0.5, 0.5].map(|half| item.center[k] + half * item.sides[k]);
    let (mut volume, mut depth) = (1.0, f64::INFINITY);
    let mut inside = [true; 2];
    for k in 0..3 {
        let ([a0, a1], [b0, b1]) = (ends(a, k), ends(b, k));
        let length = a1.min(b1) - a0.max(b0);
        if length <= 0.0 {
            return None;
        }
        volume *= length;
        depth = f64::min(depth, (a1 - b0).min(b1 - a0));
        inside = [inside[0] && a0 >= b0 && a1 <= b1, inside[1] && b0 >= a0 && b1 <= a1];
    }
    let relation = match inside {
        [true, _] => "inside",
        [_, true] => "contains",
        _ => "overlap",
    };
    let [volume, depth] = [volume, depth].map(|size| Some([size; 2]));
    Some(Measures { relation: relation.into(), volume, depth, distance: None })
}
