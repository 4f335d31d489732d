//! Cycles of a graph: for each strongly connected component one shortest cycle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A graph: the successors of each node, each with the reason of the edge.
pub type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Returns a shortest cycle through the first node, by name, of each strongly connected component that has one: a line
/// for each of its edges, with the reason.
pub fn cycles(graph: &Graph) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut done: BTreeSet<&String> = BTreeSet::new();
    for node in graph.keys() {
        if !done.contains(node)
            && let Some(cycle) = shortest(graph, node)
        {
            let reached = reachable(graph, node);
            done.extend(reached.into_iter().filter(|other| reachable(graph, other).contains(node)));
            let edges =
                cycle.windows(2).map(|edge| format!("{} -> {}: {}", edge[0], edge[1], graph[&edge[0]][&edge[1]]));
            found.push(edges.collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

/// A shortest path from a node back to it: its nodes in order, the first one again at the end.
fn shortest(graph: &Graph, start: &String) -> Option<Vec<String>> {
    let mut before: BTreeMap<&String, &String> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for next in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut path = vec![start.clone()];
                let mut node = node;
                while node != start {
                    path.push(node.clone());
                    node = before[node];
                }
                path.push(start.clone());
                path.reverse();
                return Some(path);
            }
            if !before.contains_key(next) {
                before.insert(next, node);
                queue.push_back(next);
            }
        }
    }
    None
}

/// The nodes that can be reached from a node.
fn reachable<'graph>(graph: &'graph Graph, start: &'graph String) -> BTreeSet<&'graph String> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(node) = pending.pop() {
        for next in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(next) {
                pending.push(next);
            }
        }
    }
    reached
}
