//! Regions: sets of parts that may be near each other.
use std::collections::HashMap;

/// The ball of a part. Two parts are in one region if the centers of their balls are within the radius of
/// each other.
pub(super) struct Ball {
    pub(super) center: [f64; 3],
    pub(super) radius: f64,
}

/// Divides balls into regions. Two balls are in one region if their radii differ by less than a factor of
/// two, and their centers are at most the larger radius apart. Regions are larger than they need to be. Cost:
/// O(n) expected.
pub(super) fn regions(balls: &[Ball]) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..balls.len() as u32).collect();
    let mut cells: HashMap<(i32, [i64; 3]), u32> = HashMap::new();
    for (ball, i) in balls.iter().zip(0..) {
        // Cells of level l are 2^l wide. Two such balls have a level in common whose width is at least both
        // radii.
        let level = ball.radius.log2().ceil() as i32;
        for level in [level, level + 1] {
            let width = f64::from(level).exp2();
            let first = *cells.entry((level, cell_of(ball, width))).or_insert(i);
            join(&mut parent, first, i);
        }
    }
    let joined: Vec<[u32; 2]> = cells
        .iter()
        .flat_map(|(&(level, cell), &i)| {
            let cells = &cells;
            (0..27).filter_map(move |k| {
                let step = [k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1];
                let near = [0, 1, 2].map(|a| cell[a].saturating_add(step[a]));
                Some([i, *cells.get(&(level, near))?])
            })
        })
        .collect();
    joined.into_iter().for_each(|[i, j]| join(&mut parent, i, j));
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    for i in 0..balls.len() as u32 {
        members.entry(root(&mut parent, i)).or_default().push(i);
    }
    let mut regions: Vec<Vec<u32>> = members.into_values().collect();
    regions.sort_unstable();
    regions
}

fn cell_of(ball: &Ball, width: f64) -> [i64; 3] {
    // The cast saturates: centers that are very far away share a cell.
    ball.center.map(|x| (x / width).floor() as i64)
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

fn join(parent: &mut [u32], i: u32, j: u32) {
    let (i, j) = (root(parent, i), root(parent, j));
    parent[i.max(j) as usize] = i.min(j);
}
