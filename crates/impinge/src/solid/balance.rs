//! Balance of edges on every line, which means that a chain of triangles is closed.
//!
//! # Closed
//! The *balance* of an edge from p to q is the number of triangles that run that way, less those that run
//! back. If all balances are 0 the chain is closed. If some are not, small edges may still add up to a long
//! one that has further vertices on it. Take a line, and for each of its points the sum of the balances, in
//! one direction, of the edges that run through it. The chain is closed if this sum is 0 everywhere on all
//! lines. The sum is 0 far out and changes only at vertices: from one side of a vertex v to the other by the
//! balances of the edges from v along the line, to both sides. For an edge on the far side raises the sum
//! behind v by its balance, and one on the near side lowers the sum before v by it. So the chain is closed if
//! and only if these balances add up to 0 at each vertex, for each line through it.
use super::keys::line_key;
use crate::{exact, vector::Vector};

/// True if edges with a balance add up to 0 on every line: see the head.
pub(super) fn adds_up(list: &[([u32; 2], i64)], points: &[Vector], parity: bool) -> bool {
    let mut ends: Vec<(u32, [u64; 3], u32, i64)> = Vec::with_capacity(2 * list.len());
    for &([a, b], balance) in list {
        let key = line_key(&points[a as usize], &points[b as usize]);
        ends.extend([(a, key, b, balance), (b, key, a, -balance)]);
    }
    if ends.iter().any(|(_, key, ..)| *key == [0; 3]) {
        ends.iter_mut().for_each(|(_, key, ..)| *key = [0; 3]);
    }
    ends.sort_unstable();
    ends.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).all(|run| {
        let mut left = run.to_vec();
        // Mostly one line: keys of others are equal by chance alone.
        while let Some((v, _, first, balance)) = left.pop() {
            let mut sum = balance;
            let (p, q) = (points[v as usize], points[first as usize]);
            left.retain(|&(_, _, other, balance)| {
                let on_line = exact::are_collinear(&[p, q, points[other as usize]]);
                if on_line {
                    sum += balance;
                }
                !on_line
            });
            if sum != 0 && !(parity && sum % 2 == 0) {
                return false;
            }
        }
        true
    })
}
