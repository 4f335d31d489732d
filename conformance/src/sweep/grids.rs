//! The operands of a sweep.

/// The number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// All, for the record.
    All,
    /// Some, for tests.
    Few,
}

/// Magnitudes from the least to the greatest, dense around 1 and where formulas of the libraries change.
const MAGNITUDES: [f64; 62] = [
    1e-300,
    3e-225,
    7e-151,
    1e-100,
    3.3e-60,
    1e-30,
    1e-20,
    3e-17,
    1e-15,
    1e-12,
    1e-10,
    7e-9,
    1e-8,
    1e-6,
    3.1e-5,
    1e-4,
    0.001,
    0.0077,
    0.01,
    0.05,
    0.1,
    0.2,
    0.3,
    0.45,
    0.5,
    0.55,
    0.7,
    0.9,
    0.99,
    0.9999,
    0.9999999999,
    1.0,
    1.0000000001,
    1.001,
    1.1,
    1.4,
    1.5,
    1.7,
    2.0,
    2.5,
    3.0,
    4.2,
    5.0,
    7.5,
    10.0,
    12.3,
    19.0,
    25.0,
    40.5,
    100.0,
    170.25,
    350.0,
    700.0,
    1e3,
    1.5e4,
    1e6,
    1e10,
    1e15,
    1e20,
    1e100,
    1e200,
    1e300,
];

/// Returns the operands that a word names; none if it names none.
///
/// - `positive`: from 1e-300 to 1e300; `negative`: their negatives; `real`: both, and 0; `wide`: from 1e-20 to 1e40;
/// - `unit`: between 0 and 1, dense at both ends and in the middle; `signed-unit`: these and their negatives;
/// - `moderate`: from 1e-8 to 1e3; `signed-moderate`: these and their negatives;
/// - `natural`: whole numbers from 0;
/// - `above-one`: 1 and more; `LOW..HIGH`: the reals between two numbers.
pub fn operands(word: &str) -> Option<Vec<f64>> {
    let magnitudes = |low: f64, high: f64| MAGNITUDES.into_iter().filter(move |x| (low..=high).contains(x));
    let signed =
        |positive: Vec<f64>| -> Vec<f64> { positive.iter().map(|x| -x).rev().chain(positive.clone()).collect() };
    let unit = || -> Vec<f64> {
        let low: Vec<f64> = magnitudes(0.0, 0.5).filter(|x| *x < 0.5).collect();
        let near = [1e-15, 1e-10, 9.313_226e-10, 1e-6, 1e-3];
        let middle = near.iter().map(|d| 0.5 - d).chain([0.5]).chain(near.iter().rev().map(|d| 0.5 + d));
        let high = low.iter().rev().map(|x| 1.0 - x).filter(|x| *x < 1.0);
        low.iter().copied().chain(middle).chain(high).collect()
    };
    Some(match word {
        "positive" => MAGNITUDES.to_vec(),
        "negative" => MAGNITUDES.iter().map(|x| -x).collect(),
        "wide" => magnitudes(1e-20, 1e40).chain([1e30, 1e40]).collect(),
        "real" => signed(MAGNITUDES.to_vec()).into_iter().chain([0.0]).collect(),
        "unit" => unit(),
        "signed-unit" => signed(unit()),
        "moderate" => magnitudes(1e-8, 1e3).collect(),
        "signed-moderate" => signed(magnitudes(1e-8, 1e3).collect()),
        "natural" => (0..=170).chain([200, 1000, 12345, 1_000_000]).map(f64::from).collect(),
        "above-one" => magnitudes(1.0, 1e300).collect(),
        range => {
            let (low, high) = range.split_once("..")?;
            let (low, high): (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
            let all: Vec<f64> = signed(MAGNITUDES.to_vec()).into_iter().chain([0.0, low, high]).collect();
            let inside = all.into_iter().filter(|x| (low..=high).contains(x));
            inside.chain((1..40).map(|part| low + (high - low).min(1e4) * f64::from(part) / 40.0)).collect()
        }
    })
}

/// The points whose coordinates are taken from the operands of each place, at most about as many as the density says.
pub fn points(operands: &[Vec<f64>], density: Density) -> Vec<Vec<f64>> {
    let most = match density {
        Density::All => 400.0_f64,
        Density::Few => 40.0,
    };
    let each = most.powf(1.0 / operands.len().max(1) as f64).max(2.0).floor() as usize;
    let mut points: Vec<Vec<f64>> = vec![vec![]];
    for (place, all) in operands.iter().enumerate() {
        // Another part of the operands in each place, so that not all points lie on diagonals.
        let step = all.len().div_ceil(each.max(1)).max(1);
        let taken: Vec<f64> = all.iter().copied().skip(place % step).step_by(step).collect();
        points = points.iter().flat_map(|point| taken.iter().map(|x| [&point[..], &[*x]].concat())).collect();
    }
    points
}
