"""Front matter: whatever stands there, it is read whole or not at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from treering.ingest import metadata

LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.sampled_from(
            ["---", "a: b", "a:", "- c", "  - d", "  e: f", "t: [g, h]", "x: 'y'", "# z", "", "q: |", "\tw"]
        ),
    ),
    max_size=12,
)
PLAIN = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=12)


@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_any_text_is_parsed_or_reported(lines: list[str], end: str) -> None:
    """Nothing crashes; unparsed means no values and a reason, parsed means strings only."""
    text = end.join(["---", *lines])
    length = metadata.split(text)
    found = metadata.parse(text, length)
    assert 0 <= length <= len(text)
    assert (found.state == "unparsed") is bool(found.error)
    assert found.state == "parsed" or not found.values
    assert all(isinstance(value, str) for values in found.values.values() for value in values)


@given(st.dictionaries(PLAIN, st.lists(st.text(max_size=20), min_size=1, max_size=4), min_size=1, max_size=6))
def test_quoted_values_come_back_as_they_were(values: dict[str, list[str]]) -> None:
    """Writing strings in single quotes, on one line, and reading them again changes nothing."""
    values = {key: ["".join(text.split()) for text in texts] for key, texts in values.items()}
    quoted = {key: ", ".join("'" + text.replace("'", "''") + "'" for text in texts) for key, texts in values.items()}
    text = "---\n" + "".join(f"{key}: [{listed}]\n" for key, listed in quoted.items()) + "---\nbody\n"
    found = metadata.parse(text, metadata.split(text))
    assert found.values == {key: tuple(texts) for key, texts in values.items()}, found.error


@given(st.text(max_size=200))
def test_a_body_is_never_touched(body: str) -> None:
    """What follows the closing fence has no influence on what is read."""
    text = f"---\nkind: note\n---\n{body}"
    length = metadata.split(text)
    assert text[length:] == body
    assert metadata.parse(text, length).values == {"kind": ("note",)}
