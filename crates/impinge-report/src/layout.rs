//! Places for the boxes of a drawn graph.
//!
//! A connected graph is placed by stress majorization (Gansner, Koren and North 2005): the distance of two
//! boxes follows the number of edges between them. Starts and numbers of rounds are fixed, and of roots there
//! are square roots alone, which IEEE 754 rounds in one way. So a graph has one picture on every machine.
use std::collections::VecDeque;

/// A point or a size in the picture.
pub(crate) type Vec2 = [f64; 2];

/// Rounds of the stress layout. The positions of 300 boxes change by less than a pixel in the last ones.
const ROUNDS: usize = 150;
/// Rounds in which boxes that overlap move out of each other, before they are moved for good.
const PUSHES: usize = 100;
/// The room between two boxes.
const GAP: Vec2 = [22.0, 20.0];
/// The length of an edge beyond the mean size of boxes, and of one in a group of many boxes, where edges need
/// room between other boxes.
const EDGE: Vec2 = [30.0, 52.0];
const EDGE_OF_MANY: Vec2 = [70.0, 80.0];
/// The number of boxes that are many.
const MANY: f64 = 20.0;
/// The golden ratio without its 1: the fractions of its multiples are spread evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The centres of boxes of a connected graph, by the sizes of boxes and the ends of edges. No two boxes
/// overlap. It takes n² memory and time for n boxes.
pub(crate) fn place(sizes: &[Vec2], edges: &[[usize; 2]]) -> Vec<Vec2> {
    let hops = hops(sizes.len(), edges);
    let mut places = start(&hops);
    relax(&mut places, &hops);
    upright(&mut places);
    let count = sizes.len().max(1) as f64;
    let mean = [0, 1].map(|k| sizes.iter().map(|size| size[k]).sum::<f64>() / count);
    let many = (count / MANY).min(1.0);
    let unit = [0, 1].map(|k| mean[k] + EDGE[k] + many * (EDGE_OF_MANY[k] - EDGE[k]));
    for place in &mut places {
        *place = [place[0] * unit[0], place[1] * unit[1]];
    }
    push_apart(&mut places, sizes);
    settle(&mut places, sizes);
    places
}

/// For each two boxes the number of edges between them.
fn hops(count: usize, edges: &[[usize; 2]]) -> Vec<Vec<f64>> {
    let mut next = vec![Vec::new(); count];
    for &[a, b] in edges {
        next[a].push(b);
        next[b].push(a);
    }
    let from = |first: usize| {
        // Parts whose connection is not drawn are far, but not out of sight.
        let mut found = vec![(count as f64).sqrt() + 2.0; count];
        let mut seen = vec![false; count];
        let mut open = VecDeque::from([first]);
        (found[first], seen[first]) = (0.0, true);
        while let Some(at) = open.pop_front() {
            for &to in &next[at] {
                if !seen[to] {
                    (found[to], seen[to]) = (found[at] + 1.0, true);
                    open.push_back(to);
                }
            }
        }
        found
    };
    (0..count).map(from).collect()
}

/// First positions: the distances from two boxes that are far from each other, and a little beside that, so
/// that no two positions are equal.
fn start(hops: &[Vec<f64>]) -> Vec<Vec2> {
    let farthest = |of: &dyn Fn(usize) -> f64| {
        (0..hops.len()).max_by(|&a, &b| of(a).total_cmp(&of(b)).then(b.cmp(&a))).unwrap_or(0)
    };
    if hops.is_empty() {
        return Vec::new();
    }
    let first = farthest(&|i| hops[0][i]);
    let second = farthest(&|i| hops[first][i]);
    let third = farthest(&|i| hops[first][i].min(hops[second][i]));
    let place = |i: usize| {
        let at = i as f64;
        let beside = [(at * GOLDEN).fract(), (at * GOLDEN * GOLDEN).fract()];
        [hops[first][i] + 0.5 * beside[0], hops[third][i] + 0.5 * beside[1]]
    };
    (0..hops.len()).map(place).collect()
}

/// Moves each box in turn to the weighted mean of the places where the others want it. The weight of a pair
/// is 1 / d² for the distance d that it should have.
fn relax(places: &mut [Vec2], hops: &[Vec<f64>]) {
    for _ in 0..ROUNDS {
        for i in 0..places.len() {
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for j in (0..places.len()).filter(|&j| j != i) {
                let [x, y] = [0, 1].map(|k| places[i][k] - places[j][k]);
                let length = (x * x + y * y).sqrt();
                let (want, weight) = (hops[i][j], 1.0 / (hops[i][j] * hops[i][j]));
                let toward = if length > 1e-9 { [x / length, y / length] } else { [1.0, 0.0] };
                for k in 0..2 {
                    sum[k] += weight * (places[j][k] + want * toward[k]);
                }
                weights += weight;
            }
            if weights > 0.0 {
                places[i] = sum.map(|sum| sum / weights);
            }
        }
    }
}

/// Moves the middle to the origin and turns the longest extent upright: labels are wide.
fn upright(places: &mut [Vec2]) {
    let count = places.len().max(1) as f64;
    let middle = [0, 1].map(|k| places.iter().map(|place| place[k]).sum::<f64>() / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for place in &mut *places {
        *place = [place[0] - middle[0], place[1] - middle[1]];
        let [x, y] = *place;
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    // The eigenvector (u, v) of the larger eigenvalue of the symmetric matrix.
    let half = (xx - yy) / 2.0;
    let root = (half * half + xy * xy).sqrt();
    let (u, v) = if half >= 0.0 { (half + root, xy) } else { (xy, root - half) };
    let length = (u * u + v * v).sqrt();
    if length > 1e-9 {
        let (u, v) = (u / length, v / length);
        for place in places {
            let [x, y] = *place;
            *place = [v * x - u * y, u * x + v * y];
        }
    }
}

/// By how much two boxes overlap along each axis; positive numbers are overlaps.
fn overlap(places: &[Vec2], sizes: &[Vec2], i: usize, j: usize) -> Vec2 {
    [0, 1].map(|k| (sizes[i][k] + sizes[j][k]) / 2.0 + GAP[k] - (places[i][k] - places[j][k]).abs())
}

/// Moves boxes that overlap out of each other, along the axis with less to move.
fn push_apart(places: &mut [Vec2], sizes: &[Vec2]) {
    for _ in 0..PUSHES {
        let mut moved = false;
        for i in 0..places.len() {
            for j in i + 1..places.len() {
                let over = overlap(places, sizes, i, j);
                if over.iter().any(|&over| over <= 0.0) {
                    continue;
                }
                let k = usize::from(over[1] <= over[0]);
                let sign = if places[i][k] > places[j][k] { 0.5 } else { -0.5 };
                places[i][k] += sign * over[k];
                places[j][k] -= sign * over[k];
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
}

/// Moves boxes that still overlap down until they do not: those above first.
fn settle(places: &mut [Vec2], sizes: &[Vec2]) {
    /// What rounding may leave of an overlap.
    const LEAST: f64 = 1e-6;
    let mut order: Vec<usize> = (0..places.len()).collect();
    let key = |i: usize| places[i];
    order.sort_by(|&a, &b| {
        let [a_at, b_at] = [a, b].map(key);
        a_at[1].total_cmp(&b_at[1]).then(a_at[0].total_cmp(&b_at[0])).then(a.cmp(&b))
    });
    for at in 1..order.len() {
        let i = order[at];
        // It moves below one box after another, and never up again.
        while let Some(&j) =
            order[..at].iter().find(|&&j| overlap(places, sizes, i, j).iter().all(|&over| over > LEAST))
        {
            places[i][1] = places[j][1] + (sizes[i][1] + sizes[j][1]) / 2.0 + GAP[1];
        }
    }
}

/// The upper left corners of blocks that are put side by side in rows of at most this width, and the size of
/// all. `gap` is the room between blocks.
pub(crate) fn rows(blocks: &[Vec2], width: f64, gap: Vec2) -> (Vec<Vec2>, Vec2) {
    let (mut at, mut height, mut size) = ([0.0, 0.0], 0.0_f64, [0.0_f64; 2]);
    let corner = |&[w, h]: &Vec2| {
        if at[0] > 0.0 && at[0] + w > width {
            at = [0.0, at[1] + height + gap[1]];
            height = 0.0;
        }
        let corner = at;
        at[0] += w + gap[0];
        height = height.max(h);
        size = [size[0].max(corner[0] + w), size[1].max(corner[1] + h)];
        corner
    };
    let corners = blocks.iter().map(corner).collect();
    (corners, size)
}

#[cfg(test)]
mod tests {
    use super::{place, rows};

    /// Numbers that look random.
    fn noise(state: &mut u64) -> usize {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize
    }

    #[test]
    fn boxes_do_not_overlap() {
        let mut state = 1;
        for count in [1, 2, 3, 7, 20, 60, 150] {
            for extra in [0, 2 * count] {
                let sizes: Vec<[f64; 2]> =
                    (0..count).map(|_| [20.0 + (noise(&mut state) % 200) as f64, 20.0]).collect();
                let mut edges: Vec<[usize; 2]> = (1..count).map(|i| [noise(&mut state) % i, i]).collect();
                edges.extend((0..extra).map(|_| [noise(&mut state) % count, noise(&mut state) % count]));
                let places = place(&sizes, &edges);
                for i in 0..count {
                    for j in 0..i {
                        let apart = (0..2).any(|k| {
                            (places[i][k] - places[j][k]).abs() >= (sizes[i][k] + sizes[j][k]) / 2.0 + 1.0
                        });
                        assert!(apart, "{count}, {extra}: {i} {:?}, {j} {:?}", places[i], places[j]);
                    }
                }
            }
        }
    }

    #[test]
    fn a_path_is_upright_and_in_order() {
        let places = place(&[[80.0, 20.0]; 5], &[[0, 1], [1, 2], [2, 3], [3, 4]]);
        let ys: Vec<f64> = places.iter().map(|place| place[1]).collect();
        assert!(ys.is_sorted() || ys.iter().rev().is_sorted(), "{places:?}");
        assert!((ys[0] - ys[4]).abs() > 4.0 * 40.0, "{places:?}");
    }

    #[test]
    fn a_row_ends_where_the_next_block_would_cross_the_width() {
        let (corners, size) =
            rows(&[[40.0, 10.0], [50.0, 30.0], [20.0, 5.0], [200.0, 5.0]], 100.0, [10.0, 4.0]);
        assert_eq!(corners, [[0.0, 0.0], [50.0, 0.0], [0.0, 34.0], [0.0, 43.0]]);
        assert_eq!(size, [200.0, 48.0]);
    }
}
