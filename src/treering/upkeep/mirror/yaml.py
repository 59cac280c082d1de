"""The YAML that people and other tools write between two ``---`` lines.

Mappings, lists, flow collections, quoted and plain texts, block scalars, comments. Scalars stay the text that they are,
but for ``true``, ``false``, ``null`` and whole numbers. Anchors, aliases and tags are not read: the caller then keeps
the block as it is.
"""

from __future__ import annotations

import re
from typing import Any, Final

from treering.domain.named import NamedTuple

_KEY: Final = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'\[\]{},#&*!|>%@`-][^:#]*?|-[^\s:#][^:#]*?|[^\s"'\[\]{},#&*!|>%@`][^#]*?)\s*:(?:\s+(.*)|)"""
)
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,18})")
_PAIR: Final = re.compile(r":(?:\s|$)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "e": "\x1b", "a": "\a", "f": "\f", "v": "\v",
                   "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}  # fmt: skip
_ESCAPE: Final = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_FOLD: Final = re.compile(r"(?<!\n)\n(\n*)(?![\n ])")
_DEEPEST: Final = 20


class NotYaml(Exception):
    """The block is nothing that this reads; the message says where and why."""


class _Line(NamedTuple):
    """A line that says something."""

    number: int
    indent: int
    text: str


def mapping(block: str) -> dict[str, Any]:
    """Return a block as a mapping; an empty one is an empty mapping.

    Raises:
        NotYaml: if it is none.
    """
    raw = [line.rstrip("\r") for line in block.split("\n")]
    reader = _Reader(raw)
    first = reader.peek()
    if first is None:
        return {}
    found = reader.node(first.indent, 0)
    left = reader.peek()
    if left is not None:
        raise NotYaml(f"line {left.number}: {left.text[:60]!r} belongs to nothing above it")
    if not isinstance(found, dict):
        raise NotYaml("it is no list of keys with values")
    return found


class _Reader:
    """The lines, and how far they were read."""

    def __init__(self, lines: list[str]) -> None:
        """Begin at the first line."""
        self._lines = lines
        self._at = 0

    def peek(self) -> _Line | None:
        """Return the next line that says something."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = line.strip()
            if text and not text.startswith("#"):
                indent = len(line) - len(line.lstrip(" "))
                if line[indent] == "\t":
                    raise NotYaml(f"line {self._at + 2}: it is indented by a tab")
                return _Line(self._at + 2, indent, line[indent:])
            self._at += 1
        return None

    def node(self, indent: int, depth: int) -> Any:  # noqa: ANN401  what YAML holds
        """Return the collection or scalar that begins at the next line."""
        if depth > _DEEPEST:
            raise NotYaml("it is nested too deeply")
        line = self.peek()
        if line is None or line.indent < indent:
            return None
        if line.text.startswith("- ") or line.text == "-":
            return self._list(line.indent, depth)
        if _KEY.fullmatch(line.text) and line.text[0] not in "[{":
            return self._mapping(line.indent, depth)
        self._at += 1
        return self._scalar(line.text, line.indent - 1, line.number)

    def _list(self, indent: int, depth: int) -> list[Any]:
        """Return a block list."""
        found: list[Any] = []
        while (line := self.peek()) is not None and line.indent == indent and (line.text + " ").startswith("- "):
            rest = line.text[1:].lstrip(" ")
            if not rest or rest.startswith("#"):
                self._at += 1
                found.append(self.node(indent + 1, depth + 1))
                continue
            if rest[0] not in "\"'[{|>" and (_KEY.fullmatch(rest) or rest.startswith("- ")):
                # What stands behind the dash is a collection that begins there.
                inner = line.indent + len(line.text) - len(rest)
                self._lines[self._at] = " " * inner + rest
                found.append(self.node(inner, depth + 1))
                continue
            self._at += 1
            found.append(self._scalar(rest, indent, line.number))
        return found

    def _mapping(self, indent: int, depth: int) -> dict[str, Any]:
        """Return a block mapping."""
        found: dict[str, Any] = {}
        while (line := self.peek()) is not None and line.indent == indent:
            match = _KEY.fullmatch(line.text)
            if match is None:
                raise NotYaml(f"line {line.number}: {line.text[:60]!r} is no key: value")
            key = str(_plain_or_quoted(match[1], line.number))
            if key in found:
                raise NotYaml(f"line {line.number}: the key {key[:60]!r} stands there twice")
            self._at += 1
            rest = (match[2] or "").strip()
            if not rest or rest.startswith("#"):
                following = self.peek()
                lists = following is not None and following.indent == indent and (following.text + " ")[:2] == "- "
                found[key] = self.node(indent if lists else indent + 1, depth + 1)
            else:
                found[key] = self._scalar(rest, indent, line.number)
        return found

    def _scalar(self, text: str, indent: int, number: int) -> Any:  # noqa: ANN401  what YAML holds
        """Return a value that begins on the line just read; it may go on below."""
        if text[0] in "|>":
            return self._block(text, indent)
        if text[0] in "&*!":
            raise NotYaml(f"line {number}: anchors, aliases and tags are not read")
        if text[0] in "%@`":
            raise NotYaml(f"line {number}: a value may not begin with {text[0]}")
        if text[0] in "\"'[{":
            while not _closed(text):
                if self._at >= len(self._lines):
                    raise NotYaml(f"line {number}: {text[:40]!r} is not closed")
                text += " " + self._lines[self._at].strip()
                self._at += 1
            value, end = _flow(text, 0, number, 0)
            if text[end:].strip() and not text[end:].strip().startswith("#"):
                raise NotYaml(f"line {number}: {text[end:].strip()[:40]!r} stands behind a value")
            return value
        words = [_COMMENT.sub("", text).strip()]
        while (line := self.peek()) is not None and line.indent > indent and self._goes_on(line):
            words.append(_COMMENT.sub("", line.text).strip())
            self._at += 1
        return _typed(" ".join(words))

    def _goes_on(self, line: _Line) -> bool:
        """Tell whether a deeper line continues a plain text; a key there is a mistake."""
        if _PAIR.search(_COMMENT.sub("", line.text)):
            raise NotYaml(f"line {line.number}: indented below a key that has a value")
        return True

    def _block(self, header: str, indent: int) -> str:
        """Return a block scalar."""
        lines: list[str] = []
        inner = -1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            depth = len(line) - len(line.lstrip(" "))
            if line.strip():
                if depth <= indent:
                    break
                inner = depth if inner < 0 else min(inner, depth)
            lines.append(line)
            self._at += 1
        body = [line[max(inner, 0) :].rstrip("\r") for line in lines]
        text = "\n".join(body)
        if header[0] == ">":
            text = _FOLD.sub(lambda found: found[1] or " ", text.rstrip("\n")) + "\n"
        if "-" in header:
            return text.rstrip("\n")
        return text if "+" in header else text.rstrip("\n") + "\n"


def _closed(text: str) -> bool:
    """Tell whether a quoted text or flow collection ends within ``text``."""
    depth, quote, at = 0, "", 0
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\" and quote == '"':
                at += 1
            elif sign == quote:
                quote = ""
                if depth == 0:
                    return True
        elif sign in "\"'" and (at == 0 or text[at - 1] in " [{,:"):
            quote = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
            if depth == 0:
                return True
        at += 1
    return False


def _flow(text: str, at: int, number: int, depth: int) -> tuple[Any, int]:
    """Return the flow value at a place, and where it ends."""
    at = _skip(text, at)
    if depth > _DEEPEST or at >= len(text):
        raise NotYaml(f"line {number}: a value ends too soon or is nested too deeply")
    if text[at] == "[":
        return _flow_list(text, at + 1, number, depth + 1)
    if text[at] == "{":
        return _flow_mapping(text, at + 1, number, depth + 1)
    if text[at] in "\"'":
        end = _end_of_quote(text, at, number)
        return _plain_or_quoted(text[at:end], number), end
    if text[at] in "&*!":
        raise NotYaml(f"line {number}: anchors, aliases and tags are not read")
    end = at
    while (
        end < len(text) and text[end] not in ",]}" and not (text[end] == ":" and text[end + 1 : end + 2] in {"", " "})
    ):
        end += 1
    return _typed(text[at:end].strip()), end


def _flow_list(text: str, at: int, number: int, depth: int) -> tuple[list[Any], int]:
    """Return a flow list and where it ends."""
    found: list[Any] = []
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "]":
            return found, at + 1
        value, at = _flow(text, at, number, depth)
        at = _skip(text, at)
        if text[at : at + 1] == ":":
            inner, at = _flow(text, at + 1, number, depth)
            value = {str(value): inner}
            at = _skip(text, at)
        found.append(value)
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "]":
            raise NotYaml(f"line {number}: a list is not closed")


def _flow_mapping(text: str, at: int, number: int, depth: int) -> tuple[dict[str, Any], int]:
    """Return a flow mapping and where it ends."""
    found: dict[str, Any] = {}
    while True:
        at = _skip(text, at)
        if text[at : at + 1] == "}":
            return found, at + 1
        key, at = _flow(text, at, number, depth)
        at = _skip(text, at)
        value = None
        if text[at : at + 1] == ":":
            at = _skip(text, at + 1)
            if text[at : at + 1] not in {",", "}"}:
                value, at = _flow(text, at, number, depth)
                at = _skip(text, at)
        found[str(key)] = value
        if text[at : at + 1] == ",":
            at += 1
        elif text[at : at + 1] != "}":
            raise NotYaml(f"line {number}: a mapping is not closed")


def _skip(text: str, at: int) -> int:
    """Return the place of the next sign that is no blank."""
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _end_of_quote(text: str, at: int, number: int) -> int:
    """Return where a quoted text ends."""
    quote, end = text[at], at + 1
    while end < len(text):
        if text[end] == "\\" and quote == '"':
            end += 1
        elif text[end] == quote:
            if quote == "'" and text[end + 1 : end + 2] == "'":
                end += 1
            else:
                return end + 1
        end += 1
    raise NotYaml(f"line {number}: a quoted text is not closed")


def _plain_or_quoted(text: str, number: int) -> Any:  # noqa: ANN401  what YAML holds
    """Return a scalar without its quotes."""
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text[:1] != '"':
        return text
    try:
        return _ESCAPE.sub(_unescaped, text[1:-1])
    except (ValueError, OverflowError) as error:
        raise NotYaml(f"line {number}: {error}") from error


def _unescaped(found: re.Match[str]) -> str:
    """Return what an escape stands for."""
    code = found[1] or found[2] or found[3]
    return chr(int(code, 16)) if code else _ESCAPES.get(found[4], found[4])


def _typed(text: str) -> Any:  # noqa: ANN401  what YAML holds
    """Return a plain scalar as what it is."""
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    return int(text) if _NUMBER.fullmatch(text) else text
