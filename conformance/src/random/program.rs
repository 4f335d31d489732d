//! The generator of whole programs, with their input and limit.

use super::case::{Case, Source};
use super::expressions::generate::{Binding, Generator, InputUse};
use super::expressions::library::LIBRARY;
use super::expressions::templates;
use super::generator_options::{GeneratorOptions, ProgramShape};
use super::trees::mutation;
use super::trees::tree::{Form, Item, Node, Tree};
use super::trees::types::Type;

/// Generates a program, its input and its limit from a seed.
pub fn generate(seed: u64, generator_options: GeneratorOptions) -> Case {
    let mut generator = Generator::new(seed, generator_options, reading(seed));
    generator.shape = generator_options.shape_of(seed);
    let mut tree = generator.program();
    if generator.chance(12) {
        mutation::mutate(&mut tree, &mut generator.numbers);
    }
    generator.with_input_and_limit(seed, Source::Tree(tree))
}

/// The use of input by the program of a seed.
pub fn reading(seed: u64) -> InputUse {
    if seed.is_multiple_of(4) { InputUse::Some } else { InputUse::None }
}

/// The order of definitions and expressions.
#[derive(Clone, Copy, Debug)]
enum Arrangement {
    /// Each after the items that it uses, mixed.
    Mixed,
    /// Procedures first, in any order, so that they use each other in both directions; then the values, then the
    /// expressions.
    ProceduresFirst,
    /// Random: a name may be used before its definition has run.
    Shuffled,
}

impl Generator {
    /// A program with an input and a limit.
    pub fn with_input_and_limit(&mut self, seed: u64, source: Source) -> Case {
        let input = match self.reading {
            InputUse::None => Vec::new(),
            InputUse::Some => (0..self.numbers.below(8)).map(|_| self.constant()).collect(),
        };
        let (limit, suspension) = self.generator_options.limit_and_suspension(seed);
        Case { seed, source, input, limit, suspension }
    }

    /// A size to aim at, by the parameter for size.
    fn size(&mut self, least: usize, span: usize) -> usize {
        ((least + self.numbers.below(span)) * self.generator_options.size / 100).max(2)
    }

    /// A program.
    pub fn program(&mut self) -> Tree {
        let mut items = Vec::new();
        let definitions = 1 + self.numbers.below(4);
        let arrangement = match self.numbers.below(40) {
            0..20 => Arrangement::Mixed,
            20..39 => Arrangement::ProceduresFirst,
            _ => Arrangement::Shuffled,
        };
        for _ in 0..definitions {
            let size = self.size(8, 20);
            let (definition, right, binding) = self.definition(size);
            items.push(Item::Define(definition, right));
            self.scope.push(binding);
            if matches!(arrangement, Arrangement::Mixed) && self.chance(30) {
                items.push(self.item());
            }
        }
        if let Some(shape) = self.shape {
            items.extend(self.shaped_items(shape));
        }
        let probes: Vec<Node> = (0..3).map(|_| self.probe(4)).collect();
        items.push(Item::Expression(Node::new(Form::List, Type::reals(), probes)));
        for _ in 0..1 + self.numbers.below(3) {
            items.push(self.item());
        }
        match arrangement {
            Arrangement::Mixed => {}
            Arrangement::ProceduresFirst => self.procedures_first(&mut items),
            Arrangement::Shuffled => self.shuffle(&mut items),
        }
        let mut tree = Tree::of(items);
        // Libraries use the prelude, so the prelude stays as it is.
        match self.shape {
            Some(ProgramShape::Library) => tree.includes.push(LIBRARY),
            Some(ProgramShape::Templates) => tree.includes = templates::libraries_of(&tree),
            Some(_) | None => self.replace_prelude(&mut tree),
        }
        tree
    }

    /// An expression at top level.
    fn item(&mut self) -> Item {
        let size = self.size(8, 24);
        let result = |binding: &Binding| match &binding.gives {
            Type::Procedure(_, result) => Some(Type::clone(result)),
            Type::Real
            | Type::Count
            | Type::Boolean
            | Type::List(_)
            | Type::Pair(..)
            | Type::Capsule(_)
            | Type::Vector(_)
            | Type::Marked(..) => None,
        };
        let results: Vec<Type> = self.scope.iter().filter_map(result).collect();
        // Mostly a call of a procedure that the program defines.
        if self.chance(65) && !results.is_empty() {
            let gives = self.pick(&results, Type::Real);
            return Item::Expression(self.call_of_variable(&gives, size));
        }
        let gives = self.some_type();
        Item::Expression(self.expression(&gives, size))
    }

    fn shuffle(&mut self, items: &mut [Item]) {
        for number in (1..items.len()).rev() {
            items.swap(number, self.numbers.below(number + 1));
        }
    }

    fn procedures_first(&mut self, items: &mut Vec<Item>) {
        let is_procedure =
            |item: &Item| matches!(item, Item::Define(definition, _) if !definition.parameters.is_empty());
        let (mut procedures, others): (Vec<Item>, Vec<Item>) = items.drain(..).partition(is_procedure);
        self.shuffle(&mut procedures);
        items.extend(procedures);
        items.extend(others);
    }

    /// Sometimes gives a procedure of one real the name of one of the prelude, which it then replaces. The name must
    /// not occur in any definition of the program, because the procedure itself could depend on it, and that recursion
    /// would not terminate.
    fn replace_prelude(&mut self, tree: &mut Tree) {
        const NAMES: [&str; 3] = ["sqr", "cube", "even?"];
        let name = self.word(&NAMES);
        let used = tree.items.iter().any(|item| matches!(item, Item::Define(..)) && item.node().mentions(name));
        if used || !self.chance(20) {
            return;
        }
        let wanted = Type::procedure([Type::Real], if name == "even?" { Type::Boolean } else { Type::Real });
        let Some(binding) = self.scope.iter().find(|binding| binding.gives == wanted) else { return };
        let own = binding.name.clone();
        let replacement = Node::name(name, wanted);
        for item in &mut tree.items {
            if let Item::Define(definition, _) = item
                && definition.name == own
            {
                name.clone_into(&mut definition.name);
            }
            item.node_mut().substitute(&own, &replacement);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::trees::print;
    use vlad_shared::frontend::load::{self, Input, Options};

    #[test]
    fn programs_are_well_formed() {
        for seed in 0..300 {
            let text = print::text(&Generator::new(seed, GeneratorOptions::default(), InputUse::Some).program());
            let input = Input::Text { name: "program".to_owned(), bytes: text.clone().into_bytes(), folder: None };
            if let Err(failure) = load::load(input, &Options::default()) {
                panic!("seed {seed}: {:?}\n{text}", failure.diagnostics);
            }
        }
    }

    #[test]
    fn a_case_is_a_function_of_its_seed() {
        let looks = |case: &Case| (case.text(), case.input_text(), case.limit);
        assert_eq!(looks(&generate(7, GeneratorOptions::default())), looks(&generate(7, GeneratorOptions::default())));
    }
}
