//! A picture in a smaller size.

/// Scales a picture. Each pixel is the average of those that it covers, weighted by their shares of it, in
/// integers: sides of at most 4096 pixels fit. Returns a picture that already has the size unchanged.
pub(super) fn scaled(pixels: Vec<u8>, from: [u32; 2], to: [u32; 2]) -> Vec<u8> {
    if from == to {
        return pixels;
    }
    let [width, height] = from.map(|side| side as usize);
    let [columns, rows] = to.map(|side| side as usize);
    let (across, down) = (shares(width, columns), shares(height, rows));
    let mut wide = vec![0_u64; 3 * columns * height];
    for y in 0..height {
        for (x, own) in across.iter().enumerate() {
            for &(source, share) in own {
                for k in 0..3 {
                    wide[3 * (y * columns + x) + k] +=
                        share * u64::from(pixels[3 * (y * width + source) + k]);
                }
            }
        }
    }
    let whole = (width * height) as u64;
    let mut result = Vec::with_capacity(3 * columns * rows);
    for own in &down {
        for i in 0..3 * columns {
            let sum: u64 = own.iter().map(|&(source, share)| share * wide[source * 3 * columns + i]).sum();
            result.push(((sum + whole / 2) / whole) as u8);
        }
    }
    result
}

/// The pixels that each of `count` new ones covers along a side of `length`, and the shares, which add up to
/// `length`.
fn shares(length: usize, count: usize) -> Vec<Vec<(usize, u64)>> {
    let overlap = |new: usize, old: usize| {
        let (low, high) = ((new * length).max(old * count), ((new + 1) * length).min((old + 1) * count));
        (high - low) as u64
    };
    (0..count)
        .map(|new| {
            let (first, end) = (new * length / count, ((new + 1) * length).div_ceil(count));
            (first..end).map(|old| (old, overlap(new, old))).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::scaled;

    /// Compares with averages over a grid on which every pixel of both sizes is whole.
    #[test]
    fn averages_of_what_is_covered() {
        for ([w, h], [m, n]) in
            [([12, 8], [9, 6]), ([15, 10], [6, 4]), ([7, 5], [3, 2]), ([4, 4], [4, 4]), ([5, 3], [1, 1])]
        {
            let pixels: Vec<u8> = (0..3 * w * h).map(|i| (i * i * 37 % 251) as u8).collect();
            let found = scaled(pixels.clone(), [w as u32, h as u32], [m as u32, n as u32]);
            assert_eq!(found.len(), 3 * m * n);
            for (i, &found) in found.iter().enumerate() {
                let (x, y, k) = (i / 3 % m, i / 3 / m, i % 3);
                let mut sum = 0;
                for a in x * w..(x + 1) * w {
                    for b in y * h..(y + 1) * h {
                        sum += u64::from(pixels[3 * (b / n * w + a / m) + k]);
                    }
                }
                let whole = (w * h) as u64;
                assert_eq!(u64::from(found), (sum + whole / 2) / whole, "{w} {h} {m} {n} {i}");
            }
        }
    }
}
