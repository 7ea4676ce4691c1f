//! Names in one source file: its modules, definitions, imports and every path that it mentions, without code
//! that is compiled for tests only.
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::{
    Attribute, Item, Meta, Token, UseName, UseRename, UseTree, punctuated::Punctuated, visit, visit::Visit,
};

/// Names of one module, as its text gives them.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) imports: Vec<Import>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) children: Vec<Child>,
}

/// An item at module level.
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    pub(crate) public: bool,
    pub(crate) line: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// A struct, enum, union, trait or type alias.
    Type,
    /// A function, constant or static.
    Value,
    Macro,
    /// A macro that the crate's root exports.
    ExportedMacro,
}

/// One name of a `use` declaration; a declaration in a function counts as one of its module.
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    /// `None` for a glob.
    pub(crate) name: Option<String>,
    /// `pub use`, with any scope.
    pub(crate) reexport: bool,
    /// `path::{self}`, which imports a module or type, and no function of that name.
    pub(crate) is_self: bool,
    pub(crate) line: usize,
}

/// A path outside of `use` declarations.
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) is_macro: bool,
    pub(crate) line: usize,
}

/// A `mod` declaration.
pub(crate) struct Child {
    pub(crate) name: String,
    /// Value of `#[path = ".."]`.
    pub(crate) path: Option<String>,
    /// Contents of an inline module; `None` if it is a file of its own.
    pub(crate) scope: Option<Scope>,
}

/// Reads one file.
pub(crate) fn read(text: &str) -> syn::Result<Scope> {
    let file = syn::parse_file(text)?;
    if is_test_only(&file.attrs) {
        return Ok(Scope::default());
    }
    Ok(read_module(&file.items))
}

fn read_module(items: &[Item]) -> Scope {
    let mut reader = Reader::default();
    for item in items.iter().filter(|item| !is_test_only(attributes(item))) {
        reader.define(item);
        match item {
            Item::Mod(module) => reader.scope.children.push(Child {
                name: text(&module.ident),
                path: path_attribute(&module.attrs),
                scope: module.content.as_ref().map(|(_, items)| read_module(items)),
            }),
            _ => reader.visit_item(item),
        }
    }
    reader.scope
}

#[derive(Default)]
struct Reader {
    scope: Scope,
}

impl Reader {
    fn define(&mut self, item: &Item) {
        let (ident, sort, visibility) = match item {
            Item::Struct(item) => (&item.ident, Sort::Type, &item.vis),
            Item::Enum(item) => (&item.ident, Sort::Type, &item.vis),
            Item::Union(item) => (&item.ident, Sort::Type, &item.vis),
            Item::Trait(item) => (&item.ident, Sort::Type, &item.vis),
            Item::Type(item) => (&item.ident, Sort::Type, &item.vis),
            Item::Fn(item) => (&item.sig.ident, Sort::Value, &item.vis),
            Item::Const(item) => (&item.ident, Sort::Value, &item.vis),
            Item::Static(item) => (&item.ident, Sort::Value, &item.vis),
            Item::Macro(item) => {
                let Some(ident) = &item.ident else { return };
                let exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
                (ident, if exported { Sort::ExportedMacro } else { Sort::Macro }, &syn::Visibility::Inherited)
            }
            _ => return,
        };
        let public = !matches!(visibility, syn::Visibility::Inherited);
        let definition = Definition { name: text(ident), sort, public, line: line(ident.span()) };
        self.scope.definitions.push(definition);
    }
    fn import(&mut self, prefix: &[String], tree: &UseTree, reexport: bool) {
        let extended = |ident: &Ident| [prefix, &[text(ident)]].concat();
        let (path, name, span) = match tree {
            UseTree::Path(path) => return self.import(&extended(&path.ident), &path.tree, reexport),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(prefix, tree, reexport));
            }
            UseTree::Name(name) if name.ident == "self" => {
                (prefix.to_vec(), prefix.last().cloned(), name.ident.span())
            }
            UseTree::Name(name) => (extended(&name.ident), Some(text(&name.ident)), name.ident.span()),
            UseTree::Rename(rename) => {
                let path = if rename.ident == "self" { prefix.to_vec() } else { extended(&rename.ident) };
                (path, Some(text(&rename.rename)), rename.ident.span())
            }
            UseTree::Glob(glob) => (prefix.to_vec(), None, glob.star_token.spans[0]),
        };
        let is_self = match tree {
            UseTree::Name(UseName { ident }) | UseTree::Rename(UseRename { ident, .. }) => ident == "self",
            _ => false,
        };
        self.scope.imports.push(Import { path, name, reexport, is_self, line: line(span) });
    }
    /// Paths among the tokens of a macro's call or definition, each after `prefix`.
    fn scan(&mut self, prefix: &[String], tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut before = ' ';
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => {
                    self.scan(&[], group.stream());
                    before = ' ';
                }
                TokenTree::Literal(_) => before = ' ',
                TokenTree::Punct(punct) => before = punct.as_char(),
                TokenTree::Ident(first) => {
                    // A field or method, a lifetime, or a metavariable other than `$crate`.
                    let is_path = match before {
                        '.' | '\'' | ':' => false,
                        '$' => first == "crate",
                        _ => true,
                    };
                    let at = line(first.span());
                    let mut path = [prefix, &[text(&first)]].concat();
                    before = ' ';
                    let mut group = None;
                    while is_colon(tokens.peek()) {
                        let mut ahead = tokens.clone();
                        ahead.next();
                        if !is_colon(ahead.peek()) {
                            break;
                        }
                        ahead.next();
                        match ahead.peek() {
                            Some(TokenTree::Ident(next)) => path.push(text(next)),
                            Some(TokenTree::Group(next)) => group = Some(next.stream()),
                            _ => break,
                        }
                        ahead.next();
                        tokens = ahead;
                    }
                    match group {
                        _ if !is_path => (),
                        Some(group) => self.scan(&path, group),
                        None => {
                            let is_macro =
                                matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == '!');
                            self.scope.mentions.push(Mention { path, is_macro, line: at });
                        }
                    }
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test_only(attributes(item)) {
            visit::visit_item(self, item);
        }
    }
    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Const(item) => &item.attrs,
            syn::ImplItem::Type(item) => &item.attrs,
            _ => return visit::visit_impl_item(self, item),
        };
        if !is_test_only(attributes) {
            visit::visit_impl_item(self, item);
        }
    }
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !is_test_only(&local.attrs) {
            visit::visit_local(self, local);
        }
    }
    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !is_test_only(&field.attrs) {
            visit::visit_field(self, field);
        }
    }
    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if !is_test_only(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !is_test_only(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }
    fn visit_expr_block(&mut self, block: &'ast syn::ExprBlock) {
        if !is_test_only(&block.attrs) {
            visit::visit_expr_block(self, block);
        }
    }
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.import(&[], &item.tree, !matches!(item.vis, syn::Visibility::Inherited));
        }
    }
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() {
            let line = line(path.segments[0].ident.span());
            let path = path.segments.iter().map(|segment| text(&segment.ident)).collect();
            self.scope.mentions.push(Mention { path, is_macro: false, line });
        }
        // Generic arguments are paths, too.
        visit::visit_path(self, path);
    }
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let line = line(call.path.segments[0].ident.span());
        let path = call.path.segments.iter().map(|segment| text(&segment.ident)).collect();
        self.scope.mentions.push(Mention { path, is_macro: true, line });
        self.scan(&[], call.tokens.clone());
    }
    /// Derived traits and links in documentation are no arrows.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    /// `pub(in crate::curves)` is no arrow, either.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
}

fn text(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map(str::to_owned).unwrap_or(text)
}

fn line(span: Span) -> usize {
    span.start().line
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    })
}

/// True if only tests compile an item with these attributes.
fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<Meta>().is_ok_and(|condition| !holds_without_tests(&condition))
    })
}

/// False if a condition of `cfg` needs `test` or `doctest`; other conditions may hold.
fn holds_without_tests(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => !path.is_ident("test") && !path.is_ident("doctest"),
        Meta::List(list) => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            let Ok(parts) = parts else { return true };
            if list.path.is_ident("all") {
                parts.iter().all(holds_without_tests)
            } else if list.path.is_ident("any") {
                parts.iter().any(holds_without_tests)
            } else {
                true
            }
        }
        _ => true,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
