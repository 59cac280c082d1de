"""Blocks by grammar: tree-sitter with the grammar of the language, which the extra ``code`` installs."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from treering.chunkers.blocks import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

    from treering.chunkers.languages import Language

_DEEPEST: Final = 60
"""Nodes within nodes that are looked into; a symbol below that many is part of what is around it."""

_WITHIN_STATEMENT: Final = 5
"""How deep in a statement symbols are looked for: an ``if`` around definitions, a library in one function."""

_LONG_ROWS: Final = 40
"""Rows from which a script's statement is looked into although it is no definition, e.g. a wrapped library."""

_VALUES: Final = frozenset({"arrow_function", "function_expression", "function", "generator_function", "class"})
_ASSIGNING: Final = frozenset(
    "lexical_declaration variable_declaration expression_statement public_field_definition field_definition".split()
)
_NAMES: Final = ("name", "type", "declarator", "left", "path")
_DECLARED: Final = frozenset(
    """identifier field_identifier type_identifier property_identifier private_property_identifier simple_identifier
    namespace_identifier constant qualified_identifier destructor_name operator_name operator_cast template_function
    qualified_name namespace_name name user_type generic_type scoped_type_identifier member_expression
    nested_namespace_specifier""".split()
)
_KEYWORDS: Final = {
    "init_declaration": "init",
    "deinit_declaration": "deinit",
    "subscript_declaration": "subscript",
    "companion_object": "Companion",
    "secondary_constructor": "constructor",
    "singleton_class": "self",
    "operator_declaration": "operator",
    "conversion_operator_declaration": "operator",
    "indexer_declaration": "this",
}
_LONGEST_NAME: Final = 120
_ARGUMENTS: Final = re.compile(r"<[^<>]*>|<.*", re.DOTALL)


def blocks(text: str, language: Language) -> tuple[Block, ...] | None:
    """Return the blocks of ``text``; None without the grammar, or where it could not read most of the text.

    Args:
        text: the whole file.
        language: what it is written in.
    """
    parser = _parser(language.grammar)
    if parser is None:
        return None
    root = parser.parse(text.encode("utf-8", "surrogatepass")).root_node
    if root.has_error:
        lost = sum(child.end_byte - child.start_byte for child in (root, *root.children) if child.type == "ERROR")
        if 2 * lost > root.end_byte:
            return None
    return tuple(_Walk(language).inside(root, top=True))


def is_installed(language: Language) -> bool:
    """Tell whether a language's grammar is there."""
    return _parser(language.grammar) is not None


@cache
def _parser(grammar: str) -> Parser | None:
    """Return a parser; None when the library or the grammar is not installed, or they do not fit each other."""
    module, _, function = grammar.partition(":")
    try:
        import tree_sitter

        return tree_sitter.Parser(tree_sitter.Language(getattr(import_module(module), function)()))
    except (ImportError, ValueError, AttributeError):
        return None


class _Walk:
    """The way through one tree."""

    def __init__(self, language: Language) -> None:
        """Read a tree of this language."""
        self._language = language

    def inside(self, node: Node, *, top: bool = False, depth: int = 0) -> Iterator[Block]:
        """Yield the blocks among the children of a node; statements alone at the top."""
        above, end = _comments_before(node)  # rows of the comments that may belong to what follows
        for child in node.named_children:
            first, last = child.start_point.row, _last_row(child)
            if "comment" in child.type or child.type in self._language.attached:
                if first == end and above < 0:
                    continue  # behind a statement, on its line
                if above >= 0 and first > end + 1:
                    yield from _statement(above, end, top=top)
                    above = -1
                above = first if above < 0 else above
                end = last
                continue
            if above >= 0 and first > end + 1:
                yield from _statement(above, end, top=top)
                above = -1
            yield from self._block(child, above if above >= 0 else first, last, top=top, depth=depth)
            above, end = -1, last
        if above >= 0:
            yield from _statement(above, end, top=top)

    def _block(self, node: Node, first: int, last: int, *, top: bool, depth: int) -> Iterator[Block]:
        """Yield what one node is: a symbol, imports, a statement, or the symbols within it."""
        inner = self._unwrapped(node)
        opens = node.start_point.row
        if inner.type in self._language.classes and depth < _DEEPEST and _body(inner) is not None:
            body = _body(inner)
            members = tuple(self.inside(body or inner, depth=depth + 1))
            yield Block(first, last, "class", _name(inner), opens, _header(body, inner.start_point.row), members)
        elif inner.type in self._language.functions and (name := _function_name(inner)):
            yield Block(first, last, "function", name, opens, opens)
        elif inner.type in self._language.imports or _is_require(inner):
            yield Block(first, last, "imports", "", opens, opens)
        elif found := self._within(node, depth):
            if first < found[0].first:
                yield from _statement(first, found[0].first - 1, top=top)
            yield from found
        else:
            yield from _statement(first, last, top=top)

    def _unwrapped(self, node: Node) -> Node:
        """Return the symbol in a wrapper; the node itself where it wraps none."""
        while node.type in self._language.wrappers:
            known = self._language.functions | self._language.classes | self._language.wrappers
            inner = next((child for child in node.named_children if child.type in known), None)
            if inner is None:
                return node
            node = inner
        return node

    def _within(self, node: Node, depth: int) -> list[Block]:
        """Return the symbols inside a node that is none; nothing for a short statement of a script."""
        rows = node.end_point.row - node.start_point.row
        if not rows or depth >= _DEEPEST or (node.type in self._language.functions and rows < _LONG_ROWS):
            return []
        found = [node]
        for _ in range(_WITHIN_STATEMENT):
            found = [child for one in found for child in one.named_children]
            if any(self._is_symbol(child) for child in found):
                return [block for block in self.inside(node, depth=depth + 1) if block.name]
            found = [child for child in found if child.end_point.row > child.start_point.row]
        return []

    def _is_symbol(self, node: Node) -> bool:
        """Tell whether a node is a class, or a function with a name."""
        inner = self._unwrapped(node)
        return inner.type in self._language.classes or (
            inner.type in self._language.functions and bool(_function_name(inner))
        )


def _comments_before(body: Node) -> tuple[int, int]:
    """Return first and last row of comments between a class's header and its body, as Ruby has them; −1 for none."""
    above, end = -1, -1
    node, header = body.prev_named_sibling, body.parent.start_point.row if body.parent else 0
    while node is not None and "comment" in node.type and node.start_point.row > header:
        above, end = node.start_point.row, max(end, _last_row(node))
        node = node.prev_named_sibling
    return above, end


def _statement(first: int, last: int, *, top: bool) -> Iterator[Block]:
    """Yield a statement, which is a block at the top alone: within a class it belongs to what is around it."""
    if top:
        yield Block(first, last, "code", "", first, first)


def _last_row(node: Node) -> int:
    """Return the last row of a node; one that takes its line feed along ends before it."""
    end = node.end_point
    return end.row - 1 if not end.column and end.row > node.start_point.row else end.row


def _body(node: Node) -> Node | None:
    """Return what a class holds its members in; None of a mention, as in ``struct point *next``."""
    body = node.child_by_field_name("body")
    ends = ("body", "block", "declaration_list")
    return body or next((child for child in node.named_children if child.type.endswith(ends)), None)


def _header(body: Node | None, first: int) -> int:
    """Return the last row of what stands before the body of a class that begins on row ``first``."""
    before = body.prev_sibling if body is not None else None
    return max(first, before.end_point.row) if before is not None else first


def _function_name(node: Node) -> str:
    """Return a function's or a type's name; empty for a statement that declares none."""
    if node.type in _ASSIGNING:
        return _assigned_name(node)
    if node.type == "type_declaration":
        inner = next((child for child in node.named_children if child.child_by_field_name("name")), None)
        return _name(inner) if inner is not None else ""
    if node.type in {"struct_specifier", "enum_specifier", "union_specifier"} and _body(node) is None:
        return ""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None and node.type == "method_declaration":
        owner = _text(receiver).strip("() ").split(" ")[-1].lstrip("*").partition("[")[0]
        return f"{owner}.{_name(node)}"
    return _name(node)


def _assigned_name(node: Node) -> str:
    """Return the name that a script's statement or field gives to a function; empty where its value is none."""
    inner = node if node.type.endswith("field_definition") else next(iter(node.named_children), None)
    if inner is None or (node.type == "expression_statement" and inner.type != "assignment_expression"):
        return ""
    value = inner.child_by_field_name("value") or inner.child_by_field_name("right")
    if not _is_function(value) or (node.type.endswith("_declaration") and len(node.named_children) > 1):
        return ""
    key = inner.child_by_field_name("property")
    return _text(key) if key is not None else _name(inner)


def _is_function(node: Node | None) -> bool:
    """Tell whether a value is a function or a class."""
    return node is not None and node.type in _VALUES


def _is_require(node: Node) -> bool:
    """Tell whether a statement of Ruby brings another file in."""
    method = node.child_by_field_name("method") if node.type == "call" else None
    return method is not None and _text(method) in {"require", "require_relative", "load"}


def _name(node: Node) -> str:
    """Return what a node declares; empty where it declares nothing."""
    if node.type in _KEYWORDS:
        named = node.child_by_field_name("name")
        return _text(named) if named is not None and named.is_named else _KEYWORDS[node.type]
    trait = node.child_by_field_name("trait") if node.type == "impl_item" else None
    for _ in range(12):
        if node.type in _DECLARED:
            return _text(node)
        inner = next((found for field in _NAMES if (found := node.child_by_field_name(field)) is not None), None)
        if node.type.endswith("declarator") and inner is None:
            inner = next(iter(node.named_children), None)  # a reference has no field for what it refers to
        if inner is None or (node.type.endswith("definition") and inner.type == "primitive_type"):
            inner = node.child_by_field_name("declarator")
        elif (declarator := node.child_by_field_name("declarator")) is not None:
            inner = declarator
        if inner is None:
            break
        node = inner
    else:
        return ""
    if node.type.endswith(("_identifier", "identifier", "name", "pattern")) or trait is not None:
        return _text(node)
    return ""


def _text(node: Node) -> str:
    """Return a short name as it is written, white space and type arguments aside."""
    written = (node.text or b"")[: 4 * _LONGEST_NAME].decode("utf-8", "replace")
    if "operator" not in written:
        written = _ARGUMENTS.sub("", written) or written
    return " ".join(written.split())[:_LONGEST_NAME]
