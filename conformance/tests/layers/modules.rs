//! The modules of a crate, and the items that each imports from the others.

use super::cycles::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// A path of names.
type Names = Vec<String>;

/// A module that is a file.
#[derive(Default)]
struct Module {
    /// The modules declared in it.
    children: BTreeSet<String>,
    /// The names of the items defined in it.
    defined: BTreeSet<String>,
    /// The paths that names are imported from.
    imported: BTreeMap<String, Names>,
    /// The paths of glob imports.
    globs: Vec<Names>,
    /// The paths that it names, in imports and elsewhere; not those of `pub use`, which define no need.
    named: BTreeSet<Names>,
}

/// The modules of a crate by their paths, the root's being empty.
pub struct Crate {
    modules: BTreeMap<Names, Module>,
}

impl Crate {
    /// Reads the modules of a crate from its root file on.
    pub fn parse(root: &Path) -> Crate {
        let mut all = Crate { modules: BTreeMap::new() };
        let folder = root.parent().unwrap().to_owned();
        let mut pending = vec![(Names::new(), root.to_owned(), folder)];
        while let Some((path, file, folder)) = pending.pop() {
            let module = module(&fs::read_to_string(&file).unwrap());
            for child in &module.children {
                let places = [folder.join(format!("{child}.rs")), folder.join(child).join("mod.rs")];
                // A module without a file of its own is generated.
                if let Some(file) = places.into_iter().find(|place| place.exists()) {
                    pending.push(([&path[..], std::slice::from_ref(child)].concat(), file, folder.join(child)));
                }
            }
            all.modules.insert(path, module);
        }
        all
    }

    /// The modules of a crate with these texts; paths are written with `::`.
    pub fn from_texts(texts: &[(&str, &str)]) -> Crate {
        let names = |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Crate { modules: texts.iter().map(|(path, text)| (names(path), module(text))).collect() }
    }

    /// The graph of the files: an edge leads to each file that defines an item which is named.
    pub fn files(&self) -> Graph {
        let mut graph: Graph = self.modules.keys().map(|path| (shown(path), BTreeMap::new())).collect();
        for (path, home, name) in self.needs() {
            graph.entry(shown(path)).or_default().insert(shown(&home), name);
        }
        graph
    }

    /// The graph of the modules of each folder: a module is a file with the folder of its name, and an edge leads from one to
    /// another if a file of the first names an item that a file of the second defines.
    pub fn folders(&self) -> Vec<Graph> {
        let mut graphs: BTreeMap<Names, Graph> = BTreeMap::new();
        for (path, home, name) in self.needs() {
            let common = path.iter().zip(&home).take_while(|(one, other)| one == other).count();
            if common < path.len() && common < home.len() {
                let graph = graphs.entry(path[..common].to_vec()).or_default();
                let reason = format!("{} names {name}", shown(path));
                graph.entry(shown(&path[..=common])).or_default().entry(shown(&home[..=common])).or_insert(reason);
            }
        }
        graphs.into_values().collect()
    }

    /// For each path that a file names, the file that defines the item.
    fn needs(&self) -> Vec<(&Names, Names, String)> {
        let of = |(path, module): (&'_ Names, &'_ Module)| {
            let homes = module.named.iter().filter_map(|name| Some((self.home(path, name, 0)?, name.join("::"))));
            homes.filter(|(home, _)| home != path).collect::<Vec<_>>()
        };
        let all = self
            .modules
            .iter()
            .flat_map(|(path, module)| of((path, module)).into_iter().map(move |(home, name)| (path, home, name)));
        all.collect()
    }

    /// The module that defines the item that a path names within a module; none if it is no item of the crate.
    fn home(&self, from: &Names, path: &[String], depth: usize) -> Option<Names> {
        if depth > 20 {
            return None;
        }
        let (mut place, mut rest) = match path.first().map(String::as_str) {
            Some("crate") => (Names::new(), &path[1..]),
            Some("self") => (from.clone(), &path[1..]),
            Some("super") => (from[..from.len().checked_sub(1)?].to_vec(), &path[1..]),
            Some(first) if self.modules.get(from)?.children.contains(first) => (from.clone(), path),
            Some(first) => {
                let origin = self.modules.get(from)?.imported.get(first)?;
                return self.home(from, &[&origin[..], &path[1..]].concat(), depth + 1);
            }
            None => return None,
        };
        while let Some((name, after)) = rest.split_first() {
            let module = self.modules.get(&place)?;
            if name == "super" {
                place.pop();
            } else if module.children.contains(name) {
                place.push(name.clone());
            } else if module.defined.contains(name) {
                return Some(place);
            } else if let Some(origin) = module.imported.get(name) {
                return self.home(&place, &[&origin[..], after].concat(), depth + 1);
            } else {
                let behind = |glob: &Names| self.home(&place, &[&glob[..], rest].concat(), depth + 1);
                return module.globs.iter().find_map(behind);
            }
            rest = after;
        }
        self.modules.contains_key(&place).then_some(place)
    }
}

/// The text of the path of a module.
fn shown(path: &[String]) -> String {
    if path.is_empty() { "(root)".to_owned() } else { path.join("::") }
}

/// Reads the text of a module.
fn module(text: &str) -> Module {
    let file = syn::parse_file(text).unwrap();
    let mut module = Module::default();
    for item in &file.items {
        note(item, &mut module);
    }
    let mut paths = Paths { module: &mut module };
    file.items.iter().filter(|item| !is_of_tests(item)).for_each(|item| paths.visit_item(item));
    module
}

/// Notes the declarations of a module.
fn note(item: &Item, module: &mut Module) {
    if is_of_tests(item) {
        return;
    }
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => match &item.ident {
            Some(name) => name,
            None => return,
        },
        Item::Mod(item) if item.content.is_none() => {
            module.children.insert(item.ident.to_string());
            return;
        }
        // Parts of the file, whose items are found behind its name.
        Item::Mod(item) => &item.ident,
        Item::Use(item) => {
            let mut leaves = Vec::new();
            flatten(&item.tree, Names::new(), &mut leaves);
            let is_exported = !matches!(item.vis, syn::Visibility::Inherited);
            for (path, name) in leaves {
                if !is_exported {
                    module.named.insert(path.clone());
                }
                match name {
                    Some(name) => drop(module.imported.insert(name, path)),
                    None => module.globs.push(path),
                }
            }
            return;
        }
        _ => return,
    };
    module.defined.insert(name.to_string());
}

/// The paths of a tree of imports, each with the name that it gets; none for a glob.
fn flatten(tree: &UseTree, prefix: Names, leaves: &mut Vec<(Names, Option<String>)>) {
    let with = |name: &syn::Ident| [&prefix[..], &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => flatten(&path.tree, with(&path.ident), leaves),
        UseTree::Name(name) if name.ident == "self" => leaves.push((prefix.clone(), prefix.last().cloned())),
        UseTree::Name(name) => leaves.push((with(&name.ident), Some(name.ident.to_string()))),
        UseTree::Rename(rename) if rename.ident == "self" => leaves.push((prefix, Some(rename.rename.to_string()))),
        UseTree::Rename(rename) => leaves.push((with(&rename.ident), Some(rename.rename.to_string()))),
        UseTree::Glob(_) => leaves.push((prefix, None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, prefix.clone(), leaves)),
    }
}

/// True for what is compiled for tests alone.
fn is_of_tests(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

/// Collects the paths in expressions, types and patterns.
struct Paths<'module> {
    module: &'module mut Module,
}

impl<'ast> Visit<'ast> for Paths<'_> {
    /// `pub(in path)` names who may use an item, and needs nothing.
    fn visit_visibility(&mut self, _visibility: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.module.named.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    /// The operands of a macro are tokens; paths are the names between which `::` stands.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let text = called.tokens.to_string().replace(" :: ", "::").replace(":: ", "::").replace(" ::", "::");
        for word in text.split(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | ':'))) {
            let names: Names = word.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            if names.len() > 1 {
                self.module.named.insert(names);
            }
        }
        visit::visit_macro(self, called);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if let Some((_, items)) = &item.content {
            items.iter().filter(|item| !is_of_tests(item)).for_each(|item| self.visit_item(item));
        }
    }
}
