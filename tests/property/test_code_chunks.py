"""Source code, broken and whole, is cut into chunks that join to it exactly."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.chunkers import chunk, syntax
from treering.chunkers.languages import LANGUAGES

PIECES: Final = (
    "class A:\n", "class A {\n", "    def f(self):\n", "        return 1\n", "def g(x):\n", "    pass\n", "}\n", "{",
    "}", "int f(int a) {\n", "  return 1;\n", "struct S { int x; };\n", "import x\n", "#include <x>\n", "use a::b;\n",
    "# c\n", "// c\n", "/* a\nb */\n", "/*", "*/", '"""', "'''", "'", '"', "`", "\n", "\n\n", "\r\n", "\r", "\t", " ",
    "@deco\n", "template <typename T>\n", "namespace n {\n", "fn f<'a>() -> &'a str {\n", "func (p *P) M() {\n",
    "module M\n", "end\n", "<?php\n", "export default class {\n", "const f = async (x) => {\n", "汉字 = 'é'\n",
    "\ud800", "\x0c", "if (x) {\n", "#ifdef X\n", "#endif\n", "a = {\n" + "  1,\n" * 30 + "}\n",
    "x = 1; def h(): pass\n", "public int Y { get; set; }\n",
)  # fmt: skip
SUFFIXES: Final = sorted(LANGUAGES)


@pytest.mark.parametrize("grammar", [True, False])
@settings(max_examples=150, deadline=None)
@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=25),
    suffix=st.sampled_from(SUFFIXES),
    target_chars=st.sampled_from([1, 40, 600]),
)
def test_chunks_join_to_the_text(*, grammar: bool, pieces: list[str], suffix: str, target_chars: int) -> None:
    """Whatever stands in a file: no gap, no overlap, lines counted right, leads before their chunk."""
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        if not grammar:
            patch.setattr(syntax, "_parser", lambda _: None)
        chunks = chunk(text, f"a{suffix}", front_matter_chars=0, target_chars=target_chars).chunks
    assert "".join(text[one.start : one.stop] for one in chunks) == text
    assert [one.ordinal for one in chunks] == list(range(len(chunks)))
    for one in chunks:
        assert one.start < one.stop
        assert one.first_line == text.count("\n", 0, one.start) + 1
        assert one.last_line == text.count("\n", 0, one.stop - 1) + 1
        assert all(lead.start < lead.stop <= one.start for lead in one.lead)
        assert one.parent is None or one.parent < one.ordinal
        assert one.opens <= len(one.path)
