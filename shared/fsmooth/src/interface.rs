//! Interfaces of F-smooth: the types of functions that are exported, and these functions on data that other languages
//! have.
//!
//! Arrays of pairs cross an interface as pairs of arrays, the structure of arrays for an array of structures. With x' for x
//! in that form, a function f of n arguments is exported as
//!
//! ```text
//! fun x1' ... xn' -> let r = f x1 ... xn in r'
//! ```
//!
//! where x of an array of pairs is `build (length a) (fun i -> (a[i], (ofLength b (length a))[i]))`, and r' the pair of
//! `build (length r) (fun i -> fst r[i])` and the same with `snd`. Rewriting fuses both with the function. Arrays of
//! booleans cross it as arrays of numbers, 1 for true and 0 for false; of an operand every number but 0 is true.

use super::builder::{Access, Builder, Projection};
use super::builtins::Builtin;
use super::typed::{Expression, ExpressionId, GlobalId, Item, Origin, Program, Type, TypeId, Types, Variable};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_language::interface::{DataType, Interface, Structure};
use vlad_language::{AppendedText, ReadingContext, Usage};
use vlad_table::internal_bug;
use vlad_table::primitives::Comparison;

/// The number of parts of an exported function's type at most, which bounds the depth of types.
const MOST_PARTS: u32 = 512;

/// The interfaces of the functions that are appended to a program as procedures. A function that cannot be called from
/// outside is reported.
pub fn interfaces(program: &mut Program, reading: &mut ReadingContext<'_>) -> Vec<Interface> {
    let mut found = Vec::new();
    for (global, appended) in procedures(program, reading.appended) {
        let type_id = program.global(global).type_id;
        match interface(&mut program.types, type_id) {
            Ok(interface) => found.push(interface),
            Err(message) => {
                let message = format!("`{}` is of type `{}`: {message}", appended, program.types.brief_text(type_id));
                let span = program.span(program.global(global).value);
                reading.report.push(Diagnostic::new(Kind::Type, span, message));
            }
        }
    }
    found
}

/// The structures of the operands of the expressions that are appended to a program; none for one that is no function of data.
pub fn operands(program: &Program) -> Vec<Vec<Structure>> {
    let types = &program.types;
    let of_function = |type_id: TypeId| {
        let is_small = types.parts(type_id) <= MOST_PARTS;
        let parameters = if is_small { signature(types, type_id).0 } else { Vec::new() };
        parameters.into_iter().map(|parameter| structure(types, parameter)).collect::<Option<Vec<Structure>>>()
    };
    appended(program).map(|global| of_function(program.global(global).type_id).unwrap_or_default()).collect()
}

/// The structure of data of a type; none of functions. Types are bounded in depth.
fn structure(types: &Types, type_id: TypeId) -> Option<Structure> {
    Some(match types.get(type_id) {
        Type::Double | Type::Index => Structure::Number,
        Type::Boolean => Structure::Boolean,
        Type::Array(element) => Structure::Array(Box::new(structure(types, element)?)),
        Type::Pair(first, second) => {
            Structure::Pair(Box::new(structure(types, first)?), Box::new(structure(types, second)?))
        }
        Type::Function(..) => return None,
    })
}

/// Makes the functions that are appended to a program as procedures functions on the data of their interfaces.
pub fn expose(program: &mut Program, appended: &[AppendedText]) {
    for (global, _) in procedures(program, appended) {
        let (value, type_id) = (program.global(global).value, program.global(global).type_id);
        if program.types.parts(type_id) <= MOST_PARTS {
            let span = program.span(value);
            let value = program.at(span).exposed(value);
            program.set_value(global, value);
        }
    }
}

/// The globals that are procedures for other languages, with the names of their texts.
fn procedures(program: &Program, texts: &[AppendedText]) -> Vec<(GlobalId, String)> {
    let used = appended(program).zip(texts).filter(|(_, appended)| appended.usage == Usage::Procedure);
    used.map(|(global, appended)| (global, appended.shown.clone())).collect()
}

/// The globals that are appended to a program.
fn appended(program: &Program) -> impl Iterator<Item = GlobalId> {
    program.items.iter().filter_map(|item| match *item {
        Item::Define(global) if program.global(global).origin == Origin::Appended => Some(global),
        Item::Define(_) | Item::Expression(_) => None,
    })
}

/// The parameters of a function with all its arguments, and its result.
fn signature(types: &Types, mut type_id: TypeId) -> (Vec<TypeId>, TypeId) {
    let mut parameters = Vec::new();
    while let Type::Function(parameter, result) = types.get(type_id) {
        parameters.push(parameter);
        type_id = result;
    }
    (parameters, type_id)
}

/// The names of a function's first parameters, as far as its code tells them; none for a pair that a pattern takes apart.
fn parameter_names(program: &Program, function: ExpressionId) -> Vec<Option<String>> {
    let (mut names, mut next) = (Vec::new(), function);
    // A definition may be that of another name, and so on.
    for _ in 0..MOST_PARTS {
        let code = program.expression(next);
        if let Expression::Lambda { parameter, body } = code {
            let name = program.local(parameter).name.to_string();
            names.push(Some(name).filter(|name| name != Builtin::Pair.name()));
            next = body;
        } else if let Expression::Let { body, .. } = code {
            next = body;
        } else if let Expression::Global(global) = code {
            next = program.global(global).value;
        } else {
            break;
        }
    }
    names
}

fn interface(types: &mut Types, type_id: TypeId) -> Result<Interface, String> {
    if types.parts(type_id) > MOST_PARTS {
        return Err(format!("a type of an export has at most {MOST_PARTS} parts"));
    }
    let (parameters, result) = signature(types, type_id);
    if parameters.is_empty() {
        return Err("only functions can be exported".to_owned());
    }
    let operands = parameters
        .into_iter()
        .zip(1..)
        .map(|(parameter, place)| data_type(types, parameter).map_err(|message| format!("operand {place} {message}")));
    let operands = operands.collect::<Result<Vec<DataType>, String>>()?;
    Ok(Interface { operands, result: data_type(types, result).map_err(|message| format!("the result {message}"))? })
}

/// The data of a type. Types are bounded in depth.
fn data_type(types: &mut Types, type_id: TypeId) -> Result<DataType, String> {
    if !types.is_data(type_id) {
        return Err("has functions in it".to_owned());
    }
    let separated = separated(types, type_id);
    Ok(of_separated(types, separated))
}

fn of_separated(types: &Types, type_id: TypeId) -> DataType {
    let (mut rank, mut inner) = (0, type_id);
    while let Type::Array(element) = types.get(inner) {
        (rank, inner) = (rank + 1, element);
    }
    match (types.get(inner), rank) {
        (Type::Double | Type::Index, 0) => DataType::Real,
        (Type::Double | Type::Index, _) => DataType::Array(rank),
        (Type::Boolean, 0) => DataType::Boolean,
        (Type::Pair(first, second), 0) => DataType::pair(of_separated(types, first), of_separated(types, second)),
        (Type::Pair(..) | Type::Array(_) | Type::Function(..), _) => {
            internal_bug!("separated types have neither arrays of pairs nor functions")
        }
        (Type::Boolean, _) => internal_bug!("separated types have no arrays of booleans"),
    }
}

/// A type with pairs of arrays in place of arrays of pairs.
fn separated(types: &mut Types, type_id: TypeId) -> TypeId {
    match types.get(type_id) {
        Type::Double | Type::Index | Type::Boolean | Type::Function(..) => type_id,
        Type::Pair(first, second) => {
            let (first, second) = (separated(types, first), separated(types, second));
            types.pair(first, second)
        }
        Type::Array(element) => {
            let element = separated(types, element);
            arrays(types, element)
        }
    }
}

/// Arrays of the parts of a type.
fn arrays(types: &mut Types, type_id: TypeId) -> TypeId {
    match types.get(type_id) {
        Type::Pair(first, second) => {
            let (first, second) = (arrays(types, first), arrays(types, second));
            types.pair(first, second)
        }
        Type::Boolean => types.array(Types::INDEX),
        Type::Double | Type::Index | Type::Array(_) | Type::Function(..) => types.array(type_id),
    }
}

/// A value whose arrays of pairs are separated.
enum Separate {
    /// A value without pairs.
    Whole(Access),
    /// A pair.
    Pair(Box<Separate>, Box<Separate>),
}

impl Separate {
    /// The parts of a value of a separated type.
    fn of(program: &Program, access: &Access) -> Separate {
        let Type::Pair(..) = program.types.get(access.type_id()) else { return Separate::Whole(access.clone()) };
        let part = |projection| Box::new(Separate::of(program, &access.part(program, projection)));
        Separate::Pair(part(Projection::First), part(Projection::Second))
    }

    /// Its parts without pairs, replaced one after another.
    fn mapped(self, replace: &mut impl FnMut(Access) -> Access) -> Separate {
        match self {
            Separate::Whole(access) => Separate::Whole(replace(access)),
            Separate::Pair(first, second) => {
                let first = first.mapped(replace);
                Separate::Pair(Box::new(first), Box::new(second.mapped(replace)))
            }
        }
    }

    /// The first of its parts without pairs.
    fn first(&self) -> &Access {
        let mut part = self;
        loop {
            match part {
                Separate::Whole(access) => return access,
                Separate::Pair(first, _) => part = first,
            }
        }
    }
}

/// A step from the type of a value to that of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Element,
    First,
    Second,
}

/// The form in which the last part of a value crosses an interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    /// As it is.
    Same,
    /// As a number: a boolean of an array.
    Number,
}

impl Builder<'_> {
    /// A function on separated data.
    fn exposed(&mut self, function: ExpressionId) -> ExpressionId {
        let (parameters, result) = signature(&self.program.types, self.program.type_of(function));
        let names = parameter_names(self.program, function);
        let mut names = names.into_iter().chain(std::iter::repeat(None));
        let (mut call, mut locals) = (function, Vec::new());
        for (parameter, place) in parameters.into_iter().zip(1..) {
            let of_local = separated(&mut self.program.types, parameter);
            let name = names.next().flatten().unwrap_or_else(|| format!("x{place}"));
            let local = self.fresh(&name, of_local);
            locals.push(local);
            let access = Access::of(self.program, Variable::Local(local));
            let separate = Separate::of(self.program, &access);
            let argument = self.together(parameter, separate);
            call = self.apply(call, argument);
        }
        let binding = self.binding("result", call);
        let access = Access::of(self.program, Variable::Local(binding.local));
        let body = self.apart(&access, result, &mut Vec::new());
        let body = self.bind([binding], body);
        locals.into_iter().rev().fold(body, |body, local| self.lambda(local, body))
    }

    /// The value of a type, made of its separated parts.
    fn together(&mut self, type_id: TypeId, parts: Separate) -> ExpressionId {
        match (self.program.types.get(type_id), parts) {
            (Type::Boolean, Separate::Whole(access)) if access.type_id() == Types::INDEX => {
                let (number, zero) = (access.read(self), self.index(0.0));
                let is_zero = self.compare(Comparison::Equal, number, zero);
                self.not(is_zero)
            }
            (Type::Array(element), Separate::Whole(access)) if access.type_id() != type_id => {
                let index = self.fresh("i", Types::INDEX);
                let numbers = Separate::Whole(access.part(self.program, Projection::Index(index)));
                let body = self.together(element, numbers);
                let array = access.read(self);
                self.build_like(array, index, body)
            }
            (_, Separate::Whole(access)) => access.read(self),
            (Type::Pair(of_first, of_second), Separate::Pair(first, second)) => {
                let first = self.together(of_first, *first);
                let second = self.together(of_second, *second);
                self.pair(first, second)
            }
            (Type::Array(element), parts) => {
                let like = parts.first().clone();
                let mut bindings = Vec::new();
                let mut is_first = true;
                let checked = parts.mapped(&mut |access| {
                    if std::mem::take(&mut is_first) {
                        return access;
                    }
                    let (array, of_like) = (access.read(self), like.read(self));
                    let length = self.length(of_like);
                    let array = self.of_length(array, length);
                    let binding = self.binding("part", array);
                    bindings.push(binding);
                    Access::of(self.program, Variable::Local(binding.local))
                });
                let index = self.fresh("i", Types::INDEX);
                let elements = checked.mapped(&mut |access| access.part(self.program, Projection::Index(index)));
                let body = self.together(element, elements);
                let array = like.read(self);
                let array = self.build_like(array, index, body);
                self.bind(bindings, array)
            }
            (Type::Double | Type::Index | Type::Boolean | Type::Function(..), Separate::Pair(..)) => {
                internal_bug!("only arrays and pairs have several parts")
            }
        }
    }

    /// The part of a value at a path, of a type, with its arrays of pairs separated.
    fn apart(&mut self, value: &Access, type_id: TypeId, path: &mut Vec<Part>) -> ExpressionId {
        match self.program.types.get(type_id) {
            Type::Boolean if path.contains(&Part::Element) => self.alone(value, path, Leaf::Number),
            Type::Double | Type::Index | Type::Boolean | Type::Function(..) => self.alone(value, path, Leaf::Same),
            Type::Array(element) => {
                path.push(Part::Element);
                let parts = self.apart(value, element, path);
                path.pop();
                parts
            }
            Type::Pair(first, second) => {
                let mut parts = [(Part::First, first), (Part::Second, second)].map(|(part, type_id)| {
                    path.push(part);
                    let value = self.apart(value, type_id, path);
                    path.pop();
                    value
                });
                let [first, second] = &mut parts;
                self.pair(*first, *second)
            }
        }
    }

    /// The part of a value at a path, in the arrays on the way to it.
    fn alone(&mut self, value: &Access, path: &[Part], leaf: Leaf) -> ExpressionId {
        let is_whole = leaf == Leaf::Same && path.iter().all(|part| *part == Part::Element);
        let (false, Some((part, rest))) = (is_whole, path.split_first()) else {
            let whole = value.read(self);
            return if leaf == Leaf::Number { self.number_of(whole) } else { whole };
        };
        match part {
            Part::First | Part::Second => {
                let projection = if *part == Part::First { Projection::First } else { Projection::Second };
                let part = value.part(self.program, projection);
                self.alone(&part, rest, leaf)
            }
            Part::Element => {
                let index = self.fresh("i", Types::INDEX);
                let element = value.part(self.program, Projection::Index(index));
                let body = self.alone(&element, rest, leaf);
                let array = value.read(self);
                self.build_like(array, index, body)
            }
        }
    }

    /// 1 for true, 0 for false.
    fn number_of(&mut self, condition: ExpressionId) -> ExpressionId {
        let (one, zero) = (self.index(1.0), self.index(0.0));
        self.choice(condition, one, zero)
    }
}
