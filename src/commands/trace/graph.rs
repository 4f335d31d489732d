//! A trace as a picture: the graph of the operations, from the operand at the top to the value at the bottom, with
//! adjoints that flow back.
//!
//! A node is in the first line below all nodes that it reads. Nodes of a line are ordered by the mean place of the
//! nodes that they read. The picture is SVG without scripts and fonts of its own.

use super::arguments::TraceMode;
use super::question::{Traced, shown};
use super::table::operand_text;
use std::collections::HashMap;
use std::fmt::Write;
use vlad_derivatives::appended::data::Form;
use vlad_shared::core::render::escapes::in_xml;
use vlad_shared::table::number;

/// The size of a node, and the distances between nodes.
const WIDTH: f64 = 186.0;
const HEIGHT: f64 = 50.0;
const COLUMN: f64 = 214.0;
const LINE: f64 = 112.0;
const MARGIN: f64 = 30.0;
const ABOVE: f64 = 64.0;

/// The distance between an edge and the way of the adjoint back.
const APART: f64 = 22.0;

const STYLE: &str = "text{font-family:sans-serif;font-size:11px;fill:#222;text-anchor:middle}.title{font-size:14px;\
font-weight:bold;text-anchor:start}.note{text-anchor:start}.node{fill:#fff;stroke:#222}.input{fill:#eef4fb}\
.output{stroke-width:3}.edge{fill:none;stroke:#888}.back{fill:none;stroke:#d9541e;stroke-dasharray:5 3}\
.adjoint{fill:#c0390b}.tangent{fill:#1f6fb4}";

const MARKERS: &str = "<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#888\"/></marker><marker id=\"back\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#d9541e\"/></marker></defs>\n";

/// A node of the picture.
struct GraphNode {
    number: u64,
    class: &'static str,
    title: String,
    value: String,
    /// The tangent or adjoint.
    part: Option<String>,
    /// The nodes that it reads, with the contribution of its adjoint to each.
    reads: Vec<(u64, Option<f64>)>,
    x: f64,
    y: f64,
}

/// Draws a trace with at most so many operations.
pub fn draw(traced: &Traced, most: usize) -> String {
    let mut nodes = nodes(traced, most);
    let lines = place(&mut nodes);
    let widest = lines.iter().copied().max().unwrap_or(1).max(2);
    let (width, height) = (2.0 * MARGIN + widest as f64 * COLUMN, ABOVE + lines.len() as f64 * LINE + MARGIN);
    let places: HashMap<u64, (f64, f64)> = nodes.iter().map(|node| (node.number, (node.x, node.y))).collect();
    let mut body = String::new();
    for node in &nodes {
        for (place, (read, contribution)) in node.reads.iter().enumerate() {
            if let Some(from) = places.get(read) {
                edge(&mut body, *from, (node.x, node.y), place, *contribution);
            }
        }
    }
    for node in &nodes {
        draw_node(&mut body, node, traced.mode);
    }
    let all = traced.log.operations.len();
    let (first, last) = shown(all, most);
    let title = format!("at {}: {}", cut(&traced.point.text(Form::Vlad)), cut(&traced.value.text(Form::Vlad)));
    let _ = writeln!(body, "<text class=\"title\" x=\"{MARGIN}\" y=\"24\">{}</text>", in_xml(&title));
    let mut note = match traced.mode {
        TraceMode::Forward => "tangents are blue".to_owned(),
        TraceMode::Reverse | TraceMode::Checkpoint => "adjoints, and their ways back, are red".to_owned(),
    };
    if first < last {
        note += &format!("; {} of {all} operations are not shown", last - first);
    }
    let _ = writeln!(body, "<text class=\"note\" x=\"{MARGIN}\" y=\"44\">{}</text>", in_xml(&note));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<title>Trace</title>\n<style>{STYLE}</style>\n{MARKERS}\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// The nodes that are shown, in the order of their numbers.
fn nodes(traced: &Traced, most: usize) -> Vec<GraphNode> {
    let log = &traced.log;
    let adjoints = traced.adjoints_of_inputs();
    let (first_inputs, last_inputs) = shown(log.inputs.len(), most);
    let (first, last) = shown(log.operations.len(), most);
    let seeds: HashMap<u64, f64> = log.seeds.iter().copied().collect();
    let mut nodes = Vec::new();
    for (place, input) in log.inputs.iter().enumerate() {
        if place < first_inputs || place >= last_inputs {
            let number = place as u64;
            nodes.push(GraphNode {
                number,
                class: "node input",
                title: traced.name(number),
                value: number::format(input.value),
                part: input.tangent.or_else(|| adjoints.get(place).copied()).map(number::format),
                reads: Vec::new(),
                x: 0.0,
                y: 0.0,
            });
        }
    }
    for (place, operation) in log.operations.iter().enumerate() {
        if place < first || place >= last {
            let number = (log.inputs.len() + place) as u64;
            let operands: Vec<String> =
                operation.operands.iter().flatten().map(|operand| operand_text(traced, operand)).collect();
            let contributions = operation.reverse.map_or([None; 2], |step| step.contributions);
            let reads = operation
                .operands
                .iter()
                .zip(contributions)
                .filter_map(|(operand, contribution)| Some((operand.as_ref()?.source?, contribution)));
            let part = operation.tangent.or_else(|| operation.reverse.map(|step| step.cotangent));
            nodes.push(GraphNode {
                number,
                class: if seeds.contains_key(&number) { "node output" } else { "node" },
                title: format!("{} = {} {}", traced.name(number), operation.operation.row().name, operands.join(" ")),
                value: number::format(operation.value),
                part: part.map(number::format),
                reads: reads.collect(),
                x: 0.0,
                y: 0.0,
            });
        }
    }
    nodes
}

/// Gives each node its place, and returns the numbers of nodes of the lines.
fn place(nodes: &mut [GraphNode]) -> Vec<usize> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let mut line_of: HashMap<u64, usize> = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        let above = node.reads.iter().filter_map(|(read, _)| line_of.get(read)).max();
        // A node whose operands are not shown has a line below the inputs.
        let line = above.map_or(usize::from(node.class != "node input"), |above| above + 1);
        line_of.insert(node.number, line);
        if lines.len() <= line {
            lines.resize_with(line + 1, Vec::new);
        }
        if let Some(line) = lines.get_mut(line) {
            line.push(place);
        }
    }
    let widest = lines.iter().map(Vec::len).max().unwrap_or(1).max(2) as f64;
    let mut places: HashMap<u64, f64> = HashMap::new();
    for (number, line) in lines.iter_mut().enumerate() {
        let mean = |place: &usize| {
            let reads = nodes.get(*place).map_or(&[][..], |node| node.reads.as_slice());
            let found: Vec<f64> = reads.iter().filter_map(|(read, _)| places.get(read)).copied().collect();
            if found.is_empty() { *place as f64 } else { found.iter().sum::<f64>() / found.len() as f64 }
        };
        line.sort_by(|one, other| mean(one).total_cmp(&mean(other)));
        let start = MARGIN + (widest - line.len() as f64) * COLUMN / 2.0;
        for (column, place) in line.iter().enumerate() {
            if let Some(node) = nodes.get_mut(*place) {
                node.x = start + column as f64 * COLUMN + COLUMN / 2.0;
                node.y = ABOVE + number as f64 * LINE + HEIGHT / 2.0;
                places.insert(node.number, node.x);
            }
        }
    }
    lines.iter().map(Vec::len).collect()
}

/// Draws the edge from a node to one that reads it, and the contribution of the adjoint back.
fn edge(out: &mut String, from: (f64, f64), to: (f64, f64), place: usize, contribution: Option<f64>) {
    let aside = if place == 0 { -APART } else { APART };
    let (top, bottom) = (from.1 + HEIGHT / 2.0, to.1 - HEIGHT / 2.0);
    let (start, end) = (from.0 + aside / 2.0, to.0 + aside);
    let middle = (top + bottom) / 2.0;
    let _ = writeln!(
        out,
        "<path class=\"edge\" d=\"M{start:.1} {top:.1}C{start:.1} {middle:.1} {end:.1} {middle:.1} {end:.1} {bottom:.1}\" \
         marker-end=\"url(#to)\"/>"
    );
    let Some(contribution) = contribution else { return };
    let (start, end) = (start + 1.5 * aside, end + 1.5 * aside);
    let _ = writeln!(
        out,
        "<path class=\"back\" d=\"M{end:.1} {bottom:.1}C{end:.1} {middle:.1} {start:.1} {middle:.1} {start:.1} {top:.1}\" \
         marker-end=\"url(#back)\"/>"
    );
    let (x, y) = ((start + end) / 2.0 + aside, middle + if place == 0 { -4.0 } else { 10.0 });
    let _ = writeln!(
        out,
        "<text class=\"adjoint\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
        in_xml(&number::format(contribution))
    );
}

fn draw_node(out: &mut String, node: &GraphNode, mode: TraceMode) {
    let (left, top) = (node.x - WIDTH / 2.0, node.y - HEIGHT / 2.0);
    let _ = writeln!(
        out,
        "<rect class=\"{}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>",
        node.class
    );
    let mut line = |y: f64, class: &str, text: &str| {
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>", node.x, in_xml(&cut(text)));
    };
    line(top + 15.0, "name", &node.title);
    line(top + 30.0, "value", &node.value);
    if let Some(part) = &node.part {
        let class = if mode == TraceMode::Forward { "tangent" } else { "adjoint" };
        line(top + 44.0, class, part);
    }
}

/// Cuts a text that is too long for a line.
fn cut(text: &str) -> String {
    const LONGEST: usize = 90;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain("...".chars()).collect()
}
