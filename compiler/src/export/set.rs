//! A set of exports: code and signatures, checked against each other.

use super::mathematics::Mathematics;
use super::names;
use super::outputs::Output;
use super::parameters::{self, Capitals};
use super::request::Request;
use super::signature::Signature;
use super::sizes::Sizes;
use super::units::{ExportUnit, Refusal, units};
use std::collections::BTreeMap;
use vlad_core::{GlobalId, PatternId, Program};
use vlad_first_order::Unit;
use vlad_first_order::passes::Passes;

/// The freedom of the C compiler with the arithmetic of exported code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// None: results have the bits of the report.
    Strict,
    /// The compiler may contract, reassociate, and use reciprocals: results are close to those of the report.
    Relaxed,
}

/// An export.
#[derive(Debug)]
pub struct Export {
    /// Its name in C, without that of the set.
    pub name: String,
    /// Its name and its expression in VLAD.
    pub request: Request,
    /// Its signature.
    pub signature: Signature,
    /// The patterns of its operands in the definition of the procedure.
    pub patterns: Vec<Option<PatternId>>,
    /// The names in C of the leaves of its operands.
    pub parameters: Vec<String>,
    /// Its code.
    pub unit: Unit,
    /// The globals of its operands.
    pub operands: Vec<GlobalId>,
    /// The sources of the leaves of its result.
    pub outputs: Vec<Output>,
    /// The sizes of its result, if the result has arrays.
    pub sizes: Option<Sizes>,
}

/// A set of exports, which one C file contains.
#[derive(Debug)]
pub struct ExportSet<'program> {
    /// The name of the set.
    pub name: String,
    /// The program, with the appendix.
    pub program: &'program Program,
    /// The definitions that each call computes.
    pub definitions: BTreeMap<GlobalId, Unit>,
    /// The exports.
    pub exports: Vec<Export>,
    /// The passes over their code.
    pub passes: Passes,
    /// The freedom of the C compiler.
    pub arithmetic: Arithmetic,
    /// The origin of mathematical functions.
    pub mathematics: Mathematics,
}

impl<'program> ExportSet<'program> {
    /// Compiles exports of a program with the appendix of the requests.
    ///
    /// # Errors
    /// A refusal for each impossible export.
    pub fn new(
        name: &str,
        program: &'program Program,
        requests: &[Request],
        passes: Passes,
        arithmetic: Arithmetic,
        mathematics: Mathematics,
    ) -> Result<ExportSet<'program>, Vec<Refusal>> {
        let all: Vec<&str> = requests.iter().map(|request| request.name.as_str()).collect();
        let names = names::of_exports(&all)
            .map_err(|message| vec![Refusal { export: name.to_owned(), message, hint: None, node: None }])?;
        let compiled = units(program, requests, passes)?;
        let exports = requests.iter().zip(names).zip(compiled.exports).map(|((request, name), compiled)| {
            let ExportUnit { unit, procedure, operands, outputs, sizes } = compiled;
            let (request, signature) = (request.clone(), request.signature.clone());
            let patterns = parameters::patterns(program, procedure, signature.operands.len());
            let taken = parameters::of_results(&signature.result.leaves());
            let parameters =
                parameters::of_leaves(program, &patterns, &signature.operands, taken, Capitals::Distinguish);
            Export { name, request, signature, patterns, parameters, unit, operands, outputs, sizes }
        });
        let exports = exports.collect();
        let (name, definitions) = (name.to_owned(), compiled.definitions);
        Ok(ExportSet { name, program, definitions, exports, passes, arithmetic, mathematics })
    }
}
