//! The sources of dora's crates, parsed into a tree of modules in which names can be looked up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use syn::punctuated::Punctuated;
use syn::{Attribute, Item, ItemUse, Meta, Token, UseTree, Visibility};

/// A module, as an index into `Sources`.
pub type ModuleId = usize;

pub struct Sources {
    pub modules: Vec<Module>,
    /// The root module of each crate, under the name by which Rust code knows it.
    crates: BTreeMap<String, ModuleId>,
    pub version: String,
}

#[derive(Default)]
pub struct Module {
    pub items: Vec<Item>,
    pub uses: Vec<Use>,
    children: BTreeMap<String, ModuleId>,
    parent: Option<ModuleId>,
    root: ModuleId,
}

/// One name of a `use`. `name` is `None` for `*`.
pub struct Use {
    pub name: Option<String>,
    pub path: Vec<String>,
    pub is_public: bool,
}

/// What a path leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Module(ModuleId),
    Item(ModuleId, String),
    /// Something that cannot be followed: another project's crate, or what a macro makes.
    Opaque(String),
}

impl Sources {
    /// The crate `dora-node-api` that cargo builds this project with, and the crates of dora that it uses.
    pub fn of_dora(project: &Path) -> Self {
        let metadata = cargo(project, &["metadata", "--offline", "--locked", "--format-version", "1"]);
        let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
        let mut sources = Self { modules: Vec::new(), crates: BTreeMap::new(), version: String::new() };
        for package in metadata["packages"].as_array().expect("there are packages") {
            let text = |field: &str| package[field].as_str().expect("a package has this").to_owned();
            if text("name").starts_with("dora-") {
                let directory = PathBuf::from(text("manifest_path")).with_file_name("src");
                let file = read(&directory.join("lib.rs"));
                sources.add_crate(&text("name").replace('-', "_"), &file, &directory);
            }
            if text("name") == "dora-node-api" {
                sources.version = text("version");
            }
        }
        sources
    }

    /// A single crate without files beside it.
    pub fn of_text(name: &str, text: &str) -> Self {
        let mut sources = Self { modules: Vec::new(), crates: BTreeMap::new(), version: String::new() };
        sources.add_crate(name, text, Path::new("nowhere"));
        sources
    }

    pub fn root(&self, name: &str) -> ModuleId {
        self.crates[name]
    }

    pub fn item(&self, module: ModuleId, name: &str) -> Option<&Item> {
        self.modules[module].items.iter().find(|item| name_of(item).is_some_and(|found| found == name))
    }

    /// What `path` means inside `module`, if it means anything there.
    pub fn resolve(&self, module: ModuleId, path: &[String]) -> Option<Target> {
        self.resolve_beside(module, path, &mut BTreeSet::new())
    }

    /// `resolve`, while the names in `open` are being looked up: a `use` may name what it is itself.
    fn resolve_beside(
        &self,
        module: ModuleId,
        path: &[String],
        open: &mut BTreeSet<(ModuleId, String)>,
    ) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => Some(Target::Module(self.modules[module].root)),
            "self" => Some(Target::Module(module)),
            "super" => self.modules[module].parent.map(Target::Module),
            name => self.look_up(module, name, open).or_else(|| {
                let known = self.crates.get(name).map(|root| Target::Module(*root));
                Some(known.unwrap_or_else(|| Target::Opaque(name.to_owned())))
            }),
        };
        rest.iter().try_fold(start?, |target, name| match target {
            Target::Module(module) => match name.as_str() {
                "super" => self.modules[module].parent.map(Target::Module),
                name => self.look_up(module, name, open),
            },
            Target::Item(..) => None,
            Target::Opaque(path) => Some(Target::Opaque(format!("{path}::{name}"))),
        })
    }

    /// What a name means that stands in `module` itself.
    fn look_up(
        &self,
        module: ModuleId,
        name: &str,
        open: &mut BTreeSet<(ModuleId, String)>,
    ) -> Option<Target> {
        let Module { children, uses, .. } = &self.modules[module];
        if let Some(child) = children.get(name) {
            return Some(Target::Module(*child));
        }
        if self.item(module, name).is_some() {
            return Some(Target::Item(module, name.to_owned()));
        }
        if !open.insert((module, name.to_owned())) {
            return None;
        }
        let named = uses.iter().find(|used| used.name.as_deref() == Some(name));
        let mut found = named.and_then(|used| self.resolve_beside(module, &used.path, open));
        for glob in uses.iter().filter(|used| used.name.is_none()) {
            if found.is_none()
                && let Some(Target::Module(from)) = self.resolve_beside(module, &glob.path, open)
            {
                found = self.look_up(from, name, open);
            }
        }
        open.remove(&(module, name.to_owned()));
        found
    }

    fn add_crate(&mut self, name: &str, text: &str, directory: &Path) {
        let root = self.modules.len();
        self.crates.insert(name.to_owned(), root);
        let items = parse(name, text);
        self.add_module(None, root, items, directory);
    }

    /// Adds a module whose submodules have their files in `directory`.
    fn add_module(
        &mut self,
        parent: Option<ModuleId>,
        root: ModuleId,
        items: Vec<Item>,
        directory: &Path,
    ) -> ModuleId {
        let id = self.modules.len();
        self.modules.push(Module { parent, root, ..Module::default() });
        for mut item in items {
            if !is_compiled(attributes_of(&item)) {
                continue;
            }
            match &mut item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let directory = directory.join(&name);
                    let items = match module.content.take() {
                        Some((_, items)) => items,
                        None => parse(&name, &module_file(&directory)),
                    };
                    let child = self.add_module(Some(id), root, items, &directory);
                    self.modules[id].children.insert(name, child);
                }
                Item::Use(ItemUse { vis, tree, attrs, .. }) => {
                    let is_public = matches!(vis, Visibility::Public(_)) && is_shown(attrs);
                    flatten(tree, &mut Vec::new(), is_public, &mut self.modules[id].uses);
                }
                _ => {}
            }
            self.modules[id].items.push(item);
        }
        id
    }
}

/// Everything may be compiled but the tests of the crate itself: a node is free to enable any feature.
fn is_compiled(attributes: &[Attribute]) -> bool {
    fn holds(condition: &Meta) -> bool {
        let parts = |list: &syn::MetaList| {
            list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .expect("a condition has conditions")
        };
        match condition {
            Meta::Path(path) => !path.is_ident("test"),
            Meta::List(list) if list.path.is_ident("all") => parts(list).iter().all(holds),
            Meta::List(list) if list.path.is_ident("any") => parts(list).iter().any(holds),
            Meta::List(_) | Meta::NameValue(_) => true,
        }
    }
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .all(|attribute| holds(&attribute.parse_args().expect("cfg has a condition")))
}

/// Whether users see something: it is compiled, and documented.
pub fn is_shown(attributes: &[Attribute]) -> bool {
    let hidden = |attribute: &Attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("doc") && list.tokens.to_string() == "hidden",
        _ => false,
    };
    is_compiled(attributes) && !attributes.iter().any(hidden)
}

/// The name of an item that a path can lead to, modules aside.
pub fn name_of(item: &Item) -> Option<&syn::Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

pub fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, is_public: bool, uses: &mut Vec<Use>) {
    let mut push = |name: Option<String>, path: Vec<String>| uses.push(Use { name, path, is_public });
    match tree {
        UseTree::Path(step) => {
            path.push(step.ident.to_string());
            flatten(&step.tree, path, is_public, uses);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => push(path.last().cloned(), path.clone()),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            push(Some(name.clone()), [&path[..], &[name]].concat());
        }
        UseTree::Rename(renamed) => {
            let own = (renamed.ident != "self").then(|| renamed.ident.to_string());
            let full = path.iter().cloned().chain(own).collect();
            push(Some(renamed.rename.to_string()), full);
        }
        UseTree::Glob(_) => push(None, path.clone()),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, path, is_public, uses));
        }
    }
}

fn parse(name: &str, text: &str) -> Vec<Item> {
    syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}")).items
}

fn module_file(directory: &Path) -> String {
    let beside = directory.with_extension("rs");
    read(&if beside.exists() { beside } else { directory.join("mod.rs") })
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What cargo answers. It is asked about this machine's packages only, since a machine that has built the
/// project has no others.
fn cargo(project: &Path, arguments: &[&str]) -> String {
    let run = |arguments: &[&str]| {
        let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(program).args(arguments).current_dir(project).output();
        let output = output.expect("cargo can be run");
        assert!(output.status.success(), "cargo: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("cargo writes UTF-8")
    };
    let about = run(&["-vV"]);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names its host");
    run(&[arguments, &["--filter-platform", host]].concat())
}
