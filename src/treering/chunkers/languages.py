"""Programming languages: which file is in which, and which nodes of its syntax tree are symbols.

The names of nodes are those of the grammars that the extra ``code`` installs.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Language(NamedTuple):
    """One language.

    Attributes:
        name: what it is called, e.g. ``python``.
        grammar: module and function that give its grammar, joined by a colon.
        functions: nodes that are one symbol and are never divided.
        classes: nodes that are a symbol and hold others.
        wrappers: nodes around one symbol that belong to it: decorators, ``export``, ``template``.
        attached: nodes that belong to the symbol below them, beside comments.
        imports: nodes that bring other files in.
        by_indent: whether blocks are told by their indentation where no grammar is installed.
    """

    name: str
    grammar: str
    functions: frozenset[str]
    classes: frozenset[str]
    wrappers: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    by_indent: bool = False


def _names(words: str) -> frozenset[str]:
    """Return names that are separated by blanks."""
    return frozenset(words.split())


_SCRIPT_FUNCTIONS: Final = (
    "function_declaration generator_function_declaration method_definition function_signature "
    "abstract_method_signature type_alias_declaration public_field_definition field_definition lexical_declaration "
    "variable_declaration expression_statement"
)
_SCRIPT_CLASSES: Final = (
    "class_declaration abstract_class_declaration interface_declaration enum_declaration internal_module module"
)
_C_FUNCTIONS: Final = "function_definition enum_specifier union_specifier type_definition preproc_function_def"


def _script(name: str, grammar: str) -> Language:
    """Return JavaScript or one of its dialects."""
    return Language(
        name,
        grammar,
        _names(_SCRIPT_FUNCTIONS),
        _names(_SCRIPT_CLASSES),
        wrappers=_names("export_statement ambient_declaration"),
        attached=_names("decorator"),
        imports=_names("import_statement"),
    )


_PYTHON: Final = Language(
    "python",
    "tree_sitter_python:language",
    _names("function_definition"),
    _names("class_definition"),
    wrappers=_names("decorated_definition"),
    imports=_names("import_statement import_from_statement future_import_statement"),
    by_indent=True,
)
_JAVA: Final = Language(
    "java",
    "tree_sitter_java:language",
    _names("method_declaration constructor_declaration compact_constructor_declaration"),
    _names("class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration"),
    imports=_names("import_declaration package_declaration"),
)
_C: Final = Language(
    "c",
    "tree_sitter_c:language",
    _names(f"{_C_FUNCTIONS} struct_specifier"),
    frozenset(),
    imports=_names("preproc_include"),
)
_CPP: Final = Language(
    "cpp",
    "tree_sitter_cpp:language",
    _names(f"{_C_FUNCTIONS} alias_declaration concept_definition"),
    _names("class_specifier struct_specifier namespace_definition"),
    wrappers=_names("template_declaration"),
    imports=_names("preproc_include"),
)
_C_SHARP: Final = Language(
    "csharp",
    "tree_sitter_c_sharp:language",
    _names(
        "method_declaration constructor_declaration destructor_declaration property_declaration operator_declaration "
        "conversion_operator_declaration indexer_declaration delegate_declaration event_declaration"
    ),
    _names(
        "class_declaration interface_declaration struct_declaration enum_declaration record_declaration "
        "namespace_declaration"
    ),
    imports=_names("using_directive"),
)
_GO: Final = Language(
    "go",
    "tree_sitter_go:language",
    _names("function_declaration method_declaration type_declaration"),
    frozenset(),
    imports=_names("import_declaration package_clause"),
)
_RUST: Final = Language(
    "rust",
    "tree_sitter_rust:language",
    _names("function_item function_signature_item struct_item enum_item union_item macro_definition type_item"),
    _names("impl_item trait_item mod_item"),
    attached=_names("attribute_item"),
    imports=_names("use_declaration extern_crate_declaration"),
)
_KOTLIN: Final = Language(
    "kotlin",
    "tree_sitter_kotlin:language",
    _names("function_declaration secondary_constructor type_alias"),
    _names("class_declaration object_declaration companion_object"),
    imports=_names("import package_header"),
)
_SWIFT: Final = Language(
    "swift",
    "tree_sitter_swift:language",
    _names(
        "function_declaration init_declaration deinit_declaration subscript_declaration protocol_function_declaration "
        "typealias_declaration"
    ),
    _names("class_declaration protocol_declaration"),
    imports=_names("import_declaration"),
)
_PHP: Final = Language(
    "php",
    "tree_sitter_php:language_php",
    _names("function_definition method_declaration"),
    _names("class_declaration interface_declaration trait_declaration enum_declaration"),
    imports=_names("namespace_use_declaration namespace_definition php_tag"),
)
_RUBY: Final = Language(
    "ruby",
    "tree_sitter_ruby:language",
    _names("method singleton_method"),
    _names("class module singleton_class"),
    by_indent=True,
)
_JAVASCRIPT: Final = _script("javascript", "tree_sitter_javascript:language")
_TYPESCRIPT: Final = _script("typescript", "tree_sitter_typescript:language_typescript")
_TSX: Final = _script("tsx", "tree_sitter_typescript:language_tsx")

LANGUAGES: Final[dict[str, Language]] = {
    ".py": _PYTHON, ".pyi": _PYTHON, ".pyw": _PYTHON,
    ".java": _JAVA,
    ".js": _JAVASCRIPT, ".jsx": _JAVASCRIPT, ".mjs": _JAVASCRIPT, ".cjs": _JAVASCRIPT,
    ".ts": _TYPESCRIPT, ".mts": _TYPESCRIPT, ".cts": _TYPESCRIPT, ".tsx": _TSX,
    ".c": _C,
    ".h": _CPP, ".hh": _CPP, ".hpp": _CPP, ".hxx": _CPP, ".cc": _CPP, ".cpp": _CPP, ".cxx": _CPP,
    ".cs": _C_SHARP,
    ".go": _GO,
    ".rs": _RUST,
    ".kt": _KOTLIN, ".kts": _KOTLIN,
    ".swift": _SWIFT,
    ".php": _PHP,
    ".rb": _RUBY, ".rake": _RUBY,
}  # fmt: skip
"""Language of a file by its suffix in small letters."""


def language_of(name: str) -> Language | None:
    """Return the language that a file's name says it is in; None for anything but source code."""
    return LANGUAGES.get(name[name.rfind(".") :].lower()) if "." in name else None


def is_code(name: str) -> bool:
    """Tell by its suffix whether a file is source code."""
    return language_of(name) is not None
