//! What of a crate its users can name: the items behind every public path, their methods, variants and
//! fields, and the traits that they implement.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use syn::{Fields, GenericArgument, ImplItem, Item, ItemImpl, PathArguments, TraitItem, Type, Visibility};

use super::sources::{ModuleId, Sources, Target, attributes_of, is_shown, name_of};

/// The traits that say nothing about dora: printing, copying, comparing, text and bytes of a value.
const EVERYDAY: [&str; 11] = [
    "AsRef",
    "Borrow",
    "Clone",
    "Debug",
    "Default",
    "Deserialize",
    "Display",
    "FromStr",
    "PartialEq",
    "RefUnwindSafe",
    "Serialize",
];

/// The names of all public items of a crate, each by its shortest path: `DoraNode::init_from_env`,
/// `Event::Input`, `Event::Input.metadata`, `impl Stream for EventStream`. What is `#[doc(hidden)]` is left
/// out.
pub fn public_items(sources: &Sources, name: &str) -> BTreeSet<String> {
    let paths = public_paths(sources, sources.root(name));
    let mut items = Items { sources, paths: &paths, names: BTreeSet::new() };
    for (target, path) in &paths {
        items.add(target, path);
    }
    for module in 0..sources.modules.len() {
        items.add_implementations(module);
    }
    items.names
}

/// Where the users of a crate find what it offers. Modules are visited by depth, so the first path is the
/// shortest.
fn public_paths(sources: &Sources, root: ModuleId) -> BTreeMap<Target, String> {
    let mut paths = BTreeMap::new();
    let mut visited = BTreeSet::from([root]);
    let mut queue = VecDeque::from([(root, String::new())]);
    while let Some((module, parent)) = queue.pop_front() {
        for (name, target) in offers(sources, module) {
            let path = format!("{parent}{name}");
            match target {
                Target::Module(child) if visited.insert(child) => queue.push_back((child, path + "::")),
                Target::Module(_) => {}
                target => _ = paths.entry(target).or_insert(path),
            }
        }
    }
    paths
}

/// The public names in a module, and what they are.
fn offers(sources: &Sources, module: ModuleId) -> Vec<(String, Target)> {
    let mut offers = Vec::new();
    for item in sources.modules[module].items.iter().filter(|item| is_offered(item)) {
        if let Item::Mod(child) = item {
            let name = child.ident.to_string();
            offers
                .push((name.clone(), sources.resolve(module, &["self".to_owned(), name]).expect("is read")));
        } else if let Some(name) = name_of(item) {
            offers.push((name.to_string(), Target::Item(module, name.to_string())));
        }
    }
    for used in sources.modules[module].uses.iter().filter(|used| used.is_public) {
        let path = used.path.join("::");
        match (&used.name, sources.resolve(module, &used.path)) {
            (Some(name), Some(target)) => offers.push((name.clone(), target)),
            // What cannot be found is made by a macro; its name is known all the same.
            (Some(name), None) => offers.push((name.clone(), Target::Opaque(path))),
            (None, Some(Target::Module(from))) => offers.extend(self::offers(sources, from)),
            (None, _) => panic!("`pub use {path}::*`: not a module of dora"),
        }
    }
    offers
}

struct Items<'a> {
    sources: &'a Sources,
    /// Where users find what is public.
    paths: &'a BTreeMap<Target, String>,
    names: BTreeSet<String>,
}

impl Items<'_> {
    fn add(&mut self, target: &Target, path: &str) {
        self.names.insert(path.to_owned());
        let Target::Item(module, name) = target else { return };
        match self.sources.item(*module, name) {
            Some(Item::Struct(item)) => self.add_fields(&item.fields, path, true),
            Some(Item::Enum(item)) => {
                for variant in item.variants.iter().filter(|variant| is_shown(&variant.attrs)) {
                    let path = format!("{path}::{}", variant.ident);
                    self.add_fields(&variant.fields, &path, false);
                    self.names.insert(path);
                }
            }
            Some(Item::Trait(item)) => {
                for member in &item.items {
                    if let TraitItem::Fn(function) = member
                        && is_shown(&function.attrs)
                    {
                        self.names.insert(format!("{path}::{}", function.sig.ident));
                    }
                }
            }
            _ => {}
        }
    }

    /// The named fields. Those without a name belong to what they are fields of.
    fn add_fields(&mut self, fields: &Fields, path: &str, only_public: bool) {
        for field in fields.iter().filter(|field| is_shown(&field.attrs)) {
            if let Some(name) = &field.ident
                && (!only_public || is_public(&field.vis))
            {
                self.names.insert(format!("{path}.{name}"));
            }
        }
    }

    fn add_implementations(&mut self, module: ModuleId) {
        for item in &self.sources.modules[module].items {
            match item {
                Item::Impl(implementation) => self.add_implementation(module, implementation),
                Item::Macro(call) if call.ident.is_none() => {
                    let name = call.mac.path.segments.last().expect("a macro has a name").ident.to_string();
                    let arguments = call.mac.tokens.to_string();
                    for implementation in self.expand(module, &name, &arguments) {
                        self.add_implementation(module, &implementation);
                    }
                }
                _ => {}
            }
        }
    }

    fn add_implementation(&mut self, module: ModuleId, implementation: &ItemImpl) {
        if !is_shown(&implementation.attrs) {
            return;
        }
        let of = self.public_path(module, &implementation.self_ty);
        let Some((_, path, _)) = &implementation.trait_ else {
            if let Some(of) = of {
                self.add_members(&of, implementation);
            }
            return;
        };
        let last = path.segments.last().expect("a trait has a name");
        let concerns_dora = of.is_some() || self.path_of(module, path).is_some() || {
            types_in(&last.arguments).iter().any(|of| self.public_path(module, of).is_some())
        };
        if concerns_dora && !EVERYDAY.contains(&last.ident.to_string().as_str()) {
            let of = type_text(&implementation.self_ty);
            self.names.insert(format!("impl {} for {of}", path_text(path)));
        }
    }

    fn add_members(&mut self, of: &str, implementation: &ItemImpl) {
        for member in &implementation.items {
            let (attributes, visibility, name) = match member {
                ImplItem::Fn(function) => (&function.attrs, &function.vis, &function.sig.ident),
                ImplItem::Const(constant) => (&constant.attrs, &constant.vis, &constant.ident),
                _ => continue,
            };
            if is_public(visibility) && is_shown(attributes) {
                self.names.insert(format!("{of}::{name}"));
            }
        }
    }

    /// The implementations that a call of a macro makes, each no more than `impl … for … {}`. The macro must
    /// have dora's form: the types are `$t`, and each argument is a type or `type => something`.
    fn expand(&self, module: ModuleId, name: &str, arguments: &str) -> Vec<ItemImpl> {
        let definition = self.sources.modules[module].items.iter().find_map(|item| match item {
            Item::Macro(item) if item.ident.as_ref().is_some_and(|ident| ident == name) => Some(item),
            _ => None,
        });
        let Some(definition) = definition else {
            assert_eq!(name, "thread_local", "{name}!: not a macro of its module");
            return Vec::new();
        };
        let body = definition.mac.tokens.to_string();
        let heads = body.match_indices("impl").filter_map(|(at, _)| body[at..].split('{').next());
        let heads: Vec<&str> = heads.filter(|head| head.contains("$ t")).collect();
        let types = arguments.split(',').filter_map(|argument| argument.split("=>").next());
        types
            .filter(|of| !of.trim().is_empty())
            .flat_map(|of| heads.iter().map(move |head| format!("{} {{}}", head.replace("$ t", of))))
            .map(|text| syn::parse_str(&text).unwrap_or_else(|error| panic!("{name}!: {text}: {error}")))
            .collect()
    }

    fn public_path(&self, module: ModuleId, of: &Type) -> Option<String> {
        match of {
            Type::Path(of) => self.path_of(module, &of.path),
            Type::Reference(of) => self.public_path(module, &of.elem),
            _ => None,
        }
    }

    fn path_of(&self, module: ModuleId, path: &syn::Path) -> Option<String> {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let target = self.sources.resolve(module, &segments)?;
        matches!(target, Target::Item(..)).then(|| self.paths.get(&target).cloned())?
    }
}

fn is_offered(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Mod(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        _ => return false,
    };
    is_public(visibility) && is_shown(attributes_of(item))
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn types_in(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    });
    types.collect()
}

/// The last name of a path with its types, without lifetimes.
fn path_text(path: &syn::Path) -> String {
    let last = path.segments.last().expect("a path has a name");
    let types: Vec<String> = types_in(&last.arguments).into_iter().map(type_text).collect();
    if types.is_empty() { last.ident.to_string() } else { format!("{}<{}>", last.ident, types.join(", ")) }
}

fn type_text(of: &Type) -> String {
    match of {
        Type::Path(of) => path_text(&of.path),
        Type::Reference(of) => format!("&{}", type_text(&of.elem)),
        Type::Slice(of) => format!("[{}]", type_text(&of.elem)),
        Type::Tuple(of) => format!("({})", of.elems.iter().map(type_text).collect::<Vec<_>>().join(", ")),
        Type::TraitObject(of) => {
            let bounds = of.bounds.iter().filter_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(path_text(&bound.path)),
                _ => None,
            });
            format!("dyn {}", bounds.collect::<Vec<_>>().join(" + "))
        }
        _ => "…".to_owned(),
    }
}
