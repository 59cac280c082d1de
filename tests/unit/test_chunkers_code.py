"""Source code cut by symbol, with each grammar, and by braces and indentation without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from treering.chunkers import chunk, syntax

if TYPE_CHECKING:
    from treering.domain.chunk import Chunk

SOURCES: Final = {
    "billing.py": (
        "import decimal\n\n\n# Rounds to cents.\n@cached\ndef rounded(amount):\n    return amount\n\n\n"
        "class Ledger(Book):\n    '''All entries.'''\n\n    limit = 3\n\n"
        "    def add(self, entry):\n        return 1\n\n"
        "    async def total(self):\n        return 2\n"
    ),
    "Stock.java": (
        "package shop;\nimport java.util.List;\n\n/** Counts goods. */\npublic final class Stock extends Base {\n"
        "  private int left;\n\n  @Override\n  public int reserve(String sku) {\n    return left;\n  }\n"
        "  // a word about it\n  void release() { }\n}\n"
    ),
    "cart.ts": (
        "import { x } from 'y';\n\n/** What is bought. */\nexport class Cart<T> extends Base {\n  items = [];\n"
        "  addItem(item: T): void {\n    this.items.push('}');\n  }\n  total = () => {\n    return 1;\n  };\n}\n\n"
        "export const priceOf = (item) => {\n  return 2;\n};\n"
    ),
    "parse.c": (
        "#include <stdio.h>\n\n/* Reads one. */\nstatic int read_one(FILE *in) {\n  return fgetc(in);\n}\n\n"
        "struct point {\n  int x;\n};\n"
    ),
    "Shape.cpp": (
        "#include <vector>\nnamespace geo {\n// A shape.\ntemplate <typename T>\nclass Shape : public Base {\n"
        " public:\n  double area() const {\n    return 1;\n  }\n  ~Shape() {}\n};\n"
        "int Shape::sides() {\n  return 3;\n}\n}\n"
    ),
    "Door.cs": (
        "using System;\nnamespace House {\n  /// A door.\n  public class Door : Part {\n    public void Open() {\n"
        "      x();\n    }\n    public void Close() { }\n  }\n}\n"
    ),
    "pool.go": (
        'package pool\n\nimport "sync"\n\n// Pool keeps things.\ntype Pool struct {\n\tn int\n}\n\n'
        "// Get takes one.\nfunc (p *Pool) Get() int {\n\treturn p.n\n}\n\nfunc New() *Pool {\n\treturn nil\n}\n"
    ),
    "tree.rs": (
        "use std::fmt;\n\n/// A node.\n#[derive(Debug)]\npub struct Node<'a> {\n    name: &'a str,\n}\n\n"
        "impl<'a> Node<'a> {\n    /// Its depth.\n    pub fn depth(&self) -> usize {\n        1\n    }\n}\n"
    ),
    "Repo.kt": (
        "package shop\n\nimport x.Y\n\n/** Finds. */\nclass Repo(val x: Int) : Base() {\n"
        "    fun findAll(a: Int): Int {\n        return a\n    }\n\n    fun one() = 1\n}\n\n"
        "fun Int.twice() = this * 2\n"
    ),
    "View.swift": (
        "import UIKit\n\n/// Shows.\npublic class View: Base {\n    init(x: Int) {\n        y()\n    }\n"
        "    func draw() -> Int {\n        return 1\n    }\n}\n"
    ),
    "User.php": (
        "<?php\nnamespace App;\nuse X\\Y;\n\n/** A user. */\nclass User extends Model {\n"
        "    public function fullName(): string {\n        return '}';\n    }\n}\n\n"
        "function helper() {\n    return 1;\n}\n"
    ),
    "mailer.rb": (
        "require 'net/smtp'\n\nmodule Post\n  # Sends.\n  class Mailer < Base\n"
        "    def deliver(to)\n      to\n    end\n\n"
        "    def self.build\n      new\n    end\n  end\nend\n"
    ),
}
NAMES: Final = {
    "billing.py": {"rounded", "Ledger", "Ledger.add", "Ledger.total"},
    "Stock.java": {"Stock", "Stock.reserve", "Stock.release"},
    "cart.ts": {"Cart", "Cart.addItem", "Cart.total", "priceOf"},
    "parse.c": {"read_one", "point"},
    "Shape.cpp": {"geo", "geo.Shape", "geo.Shape.area", "geo.Shape.~Shape", "geo.Shape::sides"},
    "Door.cs": {"House", "House.Door", "House.Door.Open", "House.Door.Close"},
    "pool.go": {"Pool", "Pool.Get", "New"},
    "tree.rs": {"Node", "Node.depth"},
    "Repo.kt": {"Repo", "Repo.findAll", "Repo.one", "twice"},
    "View.swift": {"View", "View.init", "View.draw"},
    "User.php": {"User", "User.fullName", "helper"},
    "mailer.rb": {"Post", "Post.Mailer", "Post.Mailer.deliver", "Post.Mailer.build"},
}
# What braces and indentation cannot tell: declarations without a block, and how the language writes a name.
UNSEEN: Final = {
    "pool.go": {"Pool"},
    "Shape.cpp": {"geo.Shape::sides"},
    "mailer.rb": {"Post.Mailer.build"},
    "Repo.kt": {"Repo.one", "twice"},
}


@pytest.fixture(params=["grammar", "none"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How code is read: with its grammar, or as on a machine without the extra."""
    if request.param == "none":
        monkeypatch.setattr(syntax, "_parser", lambda _: None)
    return str(request.param)


def cut(text: str, name: str, target_chars: int = 60, max_leaf_tokens: int = 3000) -> tuple[Chunk, ...]:
    """Return the chunks after checking that they join to the text and count its lines."""
    chunks = chunk(text, name, front_matter_chars=0, target_chars=target_chars, max_leaf_tokens=max_leaf_tokens).chunks
    assert "".join(text[one.start : one.stop] for one in chunks) == text
    for one in chunks:
        assert one.first_line == text.count("\n", 0, one.start) + 1
        assert one.last_line == text.count("\n", 0, one.stop - 1) + 1
    return chunks


def symbols(text: str, name: str, target_chars: int = 60) -> dict[str, str]:
    """Return the text of each symbol by its qualified name."""
    return {
        ".".join(heading.title for heading in one.path): text[one.start : one.stop]
        for one in cut(text, name, target_chars)
        if one.opens
    }


@pytest.mark.parametrize("name", SOURCES)
def test_each_symbol_has_its_qualified_name(name: str, way: str) -> None:
    """Every language has its classes divided at their members, which stand under the names around them."""
    found = set(symbols(SOURCES[name], name))
    wanted = NAMES[name] - (UNSEEN.get(name, set()) if way == "none" else set())
    assert found >= wanted
    if way == "grammar":
        assert found == NAMES[name]


@pytest.mark.parametrize(
    ("name", "symbol", "first"),
    [
        ("billing.py", "rounded", "# Rounds to cents.\n@cached\n"),
        ("Stock.java", "Stock", "/** Counts goods. */\n"),
        ("Stock.java", "Stock.release", "  // a word about it\n"),
        ("cart.ts", "Cart", "/** What is bought. */\n"),
        ("parse.c", "read_one", "/* Reads one. */\n"),
        ("tree.rs", "Node.depth", "    /// Its depth.\n"),
        ("pool.go", "Pool.Get", "// Get takes one.\n"),
        ("mailer.rb", "Post.Mailer", "  # Sends.\n"),
    ],
)
def test_comments_above_belong_to_the_symbol(name: str, symbol: str, first: str, way: str) -> None:
    """Doc comments, attributes and decorators right above are part of the chunk, whoever reads the code."""
    found = symbols(SOURCES[name], name)
    assert found[symbol].startswith(first), way


def test_a_member_is_led_by_the_header_of_its_class(way: str) -> None:
    """A method's lead is the line that opens its class, with its number; its parent is that chunk."""
    text = SOURCES["billing.py"]
    total = next(one for one in cut(text, "billing.py") if one.path and one.path[-1].title == "total")
    assert [(text[lead.start : lead.stop], lead.line) for lead in total.lead] == [("class Ledger(Book):\n", 10)], way
    parent = next(one for one in cut(text, "billing.py") if one.ordinal == total.parent)
    assert "limit = 3" in text[parent.start : parent.stop]


def test_a_small_class_stays_whole(way: str) -> None:
    """Up to half the target size a class is one chunk."""
    assert set(symbols(SOURCES["billing.py"], "billing.py", 600)) == {"rounded", "Ledger"}, way


def test_imports_are_one_chunk_and_statements_are_packed() -> None:
    """All imports stand together; constants share a chunk up to the target size."""
    text = "import a\nimport b\n\nA = 1\nB = 2\n\n\ndef f():\n    pass\n\n\nC = 3\n"
    assert [(one.kind, text[one.start : one.stop]) for one in cut(text, "x.py")] == [
        ("imports", "import a\nimport b\n\n"),
        ("code", "A = 1\nB = 2\n\n\n"),
        ("symbol", "def f():\n    pass\n\n\n"),
        ("code", "C = 3\n"),
    ]


def test_a_function_is_never_cut_and_says_that_it_is_long(way: str) -> None:
    """A function over the limit is one chunk and flagged."""
    text = "def f():\n" + "    call(1)\n" * 200
    [one] = cut(text, "x.py", max_leaf_tokens=100)
    assert one.oversized, way


def test_a_table_of_data_parts_at_its_lines() -> None:
    """A statement of many target sizes is cut between lines."""
    text = "TABLE = [\n" + "    'a word',\n" * 100 + "]\n"
    assert len(cut(text, "x.py", 60)) > 10


def test_definitions_under_a_condition_are_symbols() -> None:
    """What stands in a guard or an include guard is found as well."""
    assert {"fast", "slow"} <= set(
        symbols("if C:\n    def fast():\n        pass\nelse:\n    def slow():\n        pass\n", "x.py")
    )
    guarded = "#ifndef A_H\n#define A_H\nint one(void) {\n  return 1;\n}\n#endif\n"
    assert "one" in symbols(guarded, "a.h")


def test_code_with_errors_is_still_cut(way: str) -> None:
    """Symbols around an error are found; a file that is no code at all is only joined exactly."""
    broken = "def good():\n    return 1\n\n\ndef bad(:\n    return (\n\n\ndef fine():\n    return 2\n"
    assert "good" in symbols(broken, "x.py"), way
    for name in ("x.py", "x.kt", "x.cpp", "x.rb", "x.tsx"):
        cut("}}}} class { ' \" ((( \n\t\tdef (\n  <% \x0c %>\n" * 20, name)


def test_mixed_tabs_and_carriage_returns(way: str) -> None:
    """Tabs, CRLF and a lone carriage return change nothing about the lines."""
    assert "f" in symbols("class A:\r\n\tdef f(self):\r\n\t\treturn 1\r\n" + "\t# filler\r\n" * 9, "x.py") or way
    assert len(cut("int a;\rint b;\r", "x.c")) == 1


def test_notebooks_and_prose_are_no_code() -> None:
    """A notebook is JSON, and what has no suffix of a language is cut as before."""
    for name in ("a.ipynb", "a.txt", "Makefile"):
        assert {one.kind for one in cut("def f():\n    pass\n", name)} == {"prose"}
