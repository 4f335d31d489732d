//! Counts of many cases, by a key.

use std::collections::BTreeMap;

/// Adds counts to counts.
pub fn add_counts<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    for (key, count) in from {
        *into.entry(key).or_default() += count;
    }
}
