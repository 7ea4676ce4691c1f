//! Decides whether triangles are a closed chain: on each line, edges cancel.
use super::numbers::{IntegerTriangle, gcd};
use std::collections::HashMap;

/// A line: its direction, and the cross product of a point of it with the direction. The direction has no
/// common factors, and its first coordinate that is not 0 is positive.
type Line = ([i128; 3], [i128; 3]);

/// Two results: all edges of each line cancel with orientation; their number is even everywhere.
///
/// A triangle without area adds nothing on its line.
pub(super) fn closed(triangles: &[IntegerTriangle]) -> [bool; 2] {
    let mut lines: HashMap<Line, Vec<(i128, i32)>> = HashMap::new();
    for triangle in triangles {
        for k in 0..3 {
            let [p, q] = [k, (k + 1) % 3].map(|i| triangle[i].map(i128::from));
            let along = [0, 1, 2].map(|k| q[k] - p[k]);
            let Some(first) = along.into_iter().find(|&x| x != 0) else { continue };
            let common = along.into_iter().fold(0, gcd) * first.signum();
            let along = along.map(|x| x / common);
            let moment = [0, 1, 2].map(|k| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                p[i] * along[j] - p[j] * along[i]
            });
            let place = |p: [i128; 3]| (0..3).map(|k| p[k] * along[k]).sum();
            // An edge in the opposite direction counts -1 from its end, which comes first, to its start.
            lines.entry((along, moment)).or_default().extend([(place(p), 1), (place(q), -1)]);
        }
    }
    let mut found = [true; 2];
    for ends in lines.values_mut() {
        ends.sort_unstable();
        let (mut sum, mut place) = (0, None);
        for &(at, step) in &*ends {
            if place != Some(at) {
                found[0] &= sum == 0;
                found[1] &= sum % 2 == 0;
                place = Some(at);
            }
            sum += step;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_cancel_in_parts_too() {
        let quad = [[[0, 0, 0], [4, 0, 0], [4, 4, 0]], [[0, 0, 0], [4, 4, 0], [0, 4, 0]]];
        assert_eq!(closed(&quad), [false, false]);
        let back = |t: [[i64; 3]; 3]| [t[0], t[2], t[1]];
        assert_eq!(closed(&[quad[0], back(quad[0])]), [true, true]);
        assert_eq!(closed(&[quad[0], quad[0]]), [false, true]);
        // The other side, with the other diagonal, and an edge in two parts.
        let other = [
            [[0, 0, 0], [0, 4, 0], [2, 0, 0]],
            [[2, 0, 0], [0, 4, 0], [4, 0, 0]],
            [[4, 0, 0], [0, 4, 0], [4, 4, 0]],
        ];
        let all: Vec<IntegerTriangle> = quad.into_iter().chain(other).collect();
        assert_eq!(closed(&all), [true, true]);
        assert_eq!(closed(&all[1..]), [false, false]);
        let thin = [[0, 0, 0], [1, 0, 0], [4, 0, 0]];
        assert_eq!(closed(&[thin, [[1, 1, 1]; 3], [[0, 0, 0], [1, 1, 1], [0, 0, 0]]]), [true, true]);
    }
}
