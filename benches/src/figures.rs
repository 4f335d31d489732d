//! The presentation of figures: medians, and cells of tables.

/// The median of some figures, the higher one of two middle ones; not a number if there are none.
#[must_use]
pub fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A figure as the cell of a table, with `digits` digits after the point; empty if there is none.
#[must_use]
pub fn cell(figure: Option<f64>, digits: usize) -> String {
    figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 3.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn cells() {
        assert_eq!(cell(Some(1.25), 1), "1.2");
        assert_eq!(cell(None, 1), "");
    }
}
