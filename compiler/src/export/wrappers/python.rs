//! A package for Python: the C files, a module that calls them by ctypes with arrays of numpy, and a build backend for
//! pip (`compiler/export/python`).

use crate::export::files::File;
use crate::export::mathematics::{Library, licence_name};
use crate::export::names::PYTHON_KEYWORDS;
use crate::export::parameters;
use crate::export::set::{Export, ExportSet};
use crate::export::signature::{LeafType, Type};
use crate::export::text::{CFiles, named};
use std::collections::BTreeSet;
use std::fmt::Write;
use vlad_first_order::kind::MOST_RANK;

/// The public names of the module, and the names of Python that the module uses.
const TAKEN: [&str; 25] = [
    "AttributeError",
    "Error",
    "Exception",
    "ImportError",
    "MemoryError",
    "OSError",
    "OverflowError",
    "RecursionError",
    "TypeError",
    "ValueError",
    "any",
    "bool",
    "complex",
    "float",
    "hasattr",
    "int",
    "isinstance",
    "len",
    "list",
    "max",
    "min",
    "range",
    "tuple",
    "type",
    "use_stack",
];

/// The names of the functions: their names in C. A name that Python does not allow, or that is in use, gets an `f`
/// before it or a `_` behind it.
fn names(of_c: &[&str]) -> Vec<String> {
    let mut used: BTreeSet<String> = of_c.iter().copied().map(str::to_owned).collect();
    let name_of = |own: &&str| {
        let begins_well = own.starts_with(|letter: char| letter.is_ascii_alphabetic());
        let is_taken = |name: &str| TAKEN.contains(&name) || PYTHON_KEYWORDS.contains(&name);
        if begins_well && !is_taken(own) {
            return (*own).to_owned();
        }
        let mut name = if begins_well { format!("{own}_") } else { format!("f{own}") };
        while is_taken(&name) || !used.insert(name.clone()) {
            name.push('_');
        }
        name
    };
    of_c.iter().map(name_of).collect()
}

/// The files of the package.
pub fn python_files(set: &ExportSet<'_>) -> Vec<File> {
    let name = &set.name;
    let mut module = named(include_str!("../../../export/python/package.py"), name)
        .replace("exports.so", &format!("{name}.so"))
        .replace("@MOST_RANK@", &MOST_RANK.to_string());
    let mut public = Vec::new();
    let own: Vec<&str> = set.exports.iter().map(|export| export.name.as_str()).collect();
    for (export, python_name) in set.exports.iter().zip(names(&own)) {
        let parameters = parameters::of_operands(set.program, &export.patterns, &export.signature.operands);
        let function = Function { set: name, export, name: python_name, parameters };
        module.push_str(&function.text());
        public.push(format!("\"{}\"", function.name));
    }
    let _ = writeln!(module, "__all__ = [{}, \"Error\", \"use_stack\"]", public.join(", "));
    let CFiles { files: of_c, library } = CFiles::of(set);
    let quoted = |text: &str| format!("\"{text}\"");
    let (archives, licences, libraries) = match library {
        Library::Nothing => Default::default(),
        Library::Archive => (
            library.operand(name).map_or_else(String::new, |own| quoted(&own)),
            quoted(&licence_name(name)),
            String::new(),
        ),
        Library::System => (String::new(), String::new(), quoted("-lm")),
    };
    let backend = include_str!("../../../export/python/build_backend.py")
        .replace("\"exports\"", &format!("\"{name}\""))
        .replace("@ARCHIVES@", &archives)
        .replace("@LICENSES@", &licences)
        .replace("@LIBRARIES@", &libraries)
        .replace("@FLAGS@", &set.arithmetic.flags().join(" "));
    let project = include_str!("../../../export/python/pyproject.toml").replace("\"exports\"", &format!("\"{name}\""));
    let mut files = vec![
        File::text("pyproject.toml", project),
        File::text("build_backend.py", backend),
        File::text(format!("{name}/__init__.py"), module),
    ];
    files.extend(of_c.into_iter().map(|file| file.within(name)));
    files
}

/// A function of the module.
struct Function<'set> {
    set: &'set str,
    export: &'set Export,
    name: String,
    parameters: Vec<String>,
}

/// The statements of a function, and the arguments of its call in C. Its variables begin with `_`, and no parameter
/// does.
#[derive(Default)]
struct Body {
    lines: Vec<String>,
    arguments: Vec<String>,
    types: Vec<&'static str>,
    /// The lengths of operands.
    sizes: Vec<String>,
}

impl<'set> Function<'set> {
    fn text(&self) -> String {
        let (c_name, signature) = (format!("_vlad_c_{}", self.export.name), &self.export.signature);
        let mut body = Body::default();
        let mut next = 1;
        for (operand, name) in signature.operands.iter().zip(&self.parameters) {
            body.part(operand, name, &mut next);
        }
        let results = signature.result.leaves();
        let mut text =
            format!("{c_name} = _vlad_library.{}_{}\n{c_name}.restype = _ctypes.c_int\n", self.set, self.export.name);
        let call = self.call(&c_name, &mut body, &results);
        let _ = write!(
            text,
            "{c_name}.argtypes = [_ctypes.c_void_p{}]\n\n\ndef {}({}):\n    \"\"\"{}\"\"\"\n",
            body.types.iter().map(|of| format!(", _ctypes.{of}")).collect::<String>(),
            self.name,
            self.parameters.join(", "),
            self.documentation(),
        );
        for line in body.lines.iter().map(String::as_str).chain(["_own = _vlad_own()"]) {
            let _ = writeln!(text, "    {line}");
        }
        text.push_str(&call);
        let mut places = 0..;
        let value = value(&signature.result, &mut places);
        let _ = write!(text, "    return {value}\n\n\n");
        text
    }

    fn documentation(&self) -> String {
        let escaped = |text: &str| -> String {
            text.chars()
                .map(|letter| match letter {
                    '\\' => "\\\\".to_owned(),
                    '"' => "\\\"".to_owned(),
                    letter if letter.is_control() => " ".to_owned(),
                    letter => letter.to_string(),
                })
                .collect()
        };
        let mut text = escaped(&format!("{}: {}", self.export.request.name, self.export.signature));
        if self.export.request.expression != self.export.request.name {
            let _ = write!(text, "\n\n    The value of {}.", escaped(&self.export.request.expression));
        }
        text.push_str("\n\n");
        for (parameter, operand) in self.parameters.iter().zip(&self.export.signature.operands) {
            let _ = writeln!(text, "    {parameter}: {operand}");
        }
        text.push_str("    ");
        text
    }

    /// The statements of the call. The first guess for the room of a result is the size of the largest operand, or the
    /// room that the previous call needed if that differed. The call is repeated if a result does not fit.
    fn call(&self, c_name: &str, body: &mut Body, results: &[LeafType]) -> String {
        let (mut arrays, mut lines) = (Vec::new(), Vec::new());
        let mut lengths = 0;
        for (leaf, place) in results.iter().zip(0_usize..) {
            match leaf {
                LeafType::Real => body.argument("c_void_p", format!("_own.at_reals + {}", 8 * place)),
                LeafType::Boolean => body.argument("c_void_p", format!("_own.at_booleans + 4 * {place}")),
                LeafType::Array(rank) => {
                    body.argument("c_void_p", format!("_r{place}.ctypes.data"));
                    body.argument("c_size_t", format!("_room{place}"));
                    let of_array = lengths..lengths + rank;
                    for length in of_array.clone() {
                        body.argument("c_void_p", format!("_own.at_lengths + _vlad_SIZE * {length}"));
                    }
                    lengths += rank;
                    arrays.push((place, of_array.map(|length| format!("_own.lengths[{length}]")).collect::<Vec<_>>()));
                }
            }
        }
        let call = format!("_status = {c_name}(_own.context{})", body.arguments.concat());
        let failed = "    if _status:\n        raise _vlad_error(_status, _own)\n";
        if arrays.is_empty() {
            return format!("    {call}\n{failed}");
        }
        let guess = body.guess();
        for (place, _) in &arrays {
            let key = format!("\"{}.{place}\"", self.export.name);
            lines.push(format!("    _room{place} = _own.room.get({key}) or {guess}\n"));
        }
        lines.push("    while True:\n".to_owned());
        for (place, _) in &arrays {
            lines.push(format!("        _r{place} = _numpy.empty(_room{place})\n"));
        }
        lines.push(format!("        {call}\n"));
        for (place, sizes) in &arrays {
            lines.push(format!("        _length{place} = {}\n", sizes.join(" * ")));
        }
        lines.push("        if _status != _vlad_TOO_SMALL:\n            break\n".to_owned());
        for (place, _) in &arrays {
            lines.push(format!("        _room{place} = _vlad_max(_room{place}, _length{place})\n"));
        }
        lines.push(failed.to_owned());
        for (place, sizes) in &arrays {
            lines.push(format!(
                "    if _length{place} != {}:\n        _own.room[\"{}.{place}\"] = _length{place}\n",
                body.guess(),
                self.export.name
            ));
            lines.push(format!(
                "    if _length{place} != _room{place}:\n        _r{place} = _r{place}[:_length{place}].copy()\n"
            ));
            if sizes.len() > 1 {
                lines.push(format!("    _r{place} = _r{place}.reshape({})\n", sizes.join(", ")));
            }
        }
        lines.concat()
    }
}

impl Body {
    /// The first guess for the length of an array of the result: the largest size of an operand.
    fn guess(&self) -> String {
        match self.sizes.as_slice() {
            [] => "1".to_owned(),
            [one] => one.clone(),
            all => format!("_vlad_max({})", all.join(", ")),
        }
    }

    fn argument(&mut self, of: &'static str, value: String) {
        self.types.push(of);
        self.arguments.push(format!(", {value}"));
    }

    /// Adds an operand or a part of one, given its expression. Messages use the expression as its name. The recursion
    /// is as deep as the signature.
    fn part(&mut self, of: &Type, value: &str, next: &mut usize) {
        match of {
            Type::Leaf(leaf) => {
                self.leaf(*leaf, *next, value);
                *next += 1;
            }
            Type::Nil | Type::Pair(..) => {
                let parts = parts(of);
                self.lines.push(format!("_vlad_parts({value}, {}, \"{value}\")", parts.len()));
                for (part, place) in parts.into_iter().zip(0..) {
                    self.part(part, &format!("{value}[{place}]"), next);
                }
            }
        }
    }

    /// Adds a number or an array.
    fn leaf(&mut self, leaf: LeafType, place: usize, value: &str) {
        let name = format!("_x{place}");
        match leaf {
            LeafType::Real => self.argument("c_double", format!("_vlad_real({value}, \"{value}\")")),
            LeafType::Boolean => self.argument("c_int", format!("_vlad_boolean({value}, \"{value}\")")),
            LeafType::VECTOR => {
                self.lines.push(format!("{name} = _vlad_vector({value}, \"{value}\")"));
                self.argument("c_void_p", format!("{name}.ctypes.data"));
                self.argument("c_size_t", format!("{name}.size"));
                self.sizes.push(format!("{name}.size"));
            }
            LeafType::Array(rank) => {
                self.lines.push(format!("{name} = _vlad_array({value}, \"{value}\", {rank})"));
                self.argument("c_void_p", format!("{name}.ctypes.data"));
                for dimension in 0..rank {
                    self.argument("c_size_t", format!("{name}.shape[{dimension}]"));
                }
                self.sizes.push(format!("{name}.size"));
            }
        }
    }
}

/// The parts of a tuple: the elements of a list, or the parts of a chain of pairs with the last second part.
fn parts(of: &Type) -> Vec<&Type> {
    let (mut found, mut rest) = (Vec::new(), of);
    while let Type::Pair(first, second) = rest {
        found.push(&**first);
        rest = second;
    }
    if !matches!(rest, Type::Nil) {
        found.push(rest);
    }
    found
}

/// The expression of a result.
fn value(of: &Type, places: &mut impl Iterator<Item = usize>) -> String {
    match of {
        Type::Leaf(leaf) => {
            let place = places.next().unwrap_or_default();
            match leaf {
                LeafType::Real => format!("_own.reals[{place}]"),
                LeafType::Boolean => format!("_own.booleans[{place}] != 0"),
                LeafType::Array(_) => format!("_r{place}"),
            }
        }
        Type::Nil | Type::Pair(..) => {
            let all: Vec<String> = parts(of).into_iter().map(|part| value(part, places)).collect();
            match all.as_slice() {
                [one] => format!("({one},)"),
                all => format!("({})", all.join(", ")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_c_as_far_as_they_can_be() {
        let names = names(&["slope", "len", "2norm", "_vlad", "max", "max_", "f2norm", "None"]);
        assert_eq!(names, ["slope", "len_", "f2norm_", "f_vlad", "max__", "max_", "f2norm", "None_"]);
    }
}
