"""Front matter: a restricted grammar on purpose, so that what is read is what everybody would read.

Between two ``---`` lines at the very start: ``key: value``, ``key: [a, b]``, a block list, and one
level of nesting that becomes ``parent.child``. Values stay strings (``true`` and ``1`` too), quotes
are stripped, `` # …`` outside quotes is dropped. Anything else (block scalars, anchors, aliases, flow
mappings, lists of mappings, duplicate keys, a fence that is never closed) leaves the whole block
unparsed with the reason; it is never half-read. ``key:`` and ``key: ~`` record nothing.

Unlike in YAML a plain value may hold ``: ``, and may begin with ``*`` where no letter or digit
follows, because ``globs: *.py,**/*.ts`` is what rule files of agents say; ``*name`` is an alias.
"""

from __future__ import annotations

import re
from typing import Final

from treering.domain.source import Metadata
from treering.ingest.rules import Rules, load_rules

__all__ = ["MAX_CHARS", "Rules", "load_rules", "parse", "resolve", "split"]

MAX_CHARS: Final = 64 * 1024
"""A longer block is no front matter."""

_OPENING: Final = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_CLOSING: Final = re.compile(r"(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
# Possessive quantifiers and looks behind keep these linear on any line.
_KEY: Final = re.compile(r"(?P<key>\w[\w .$/-]*+):(?:[ \t]+(?P<value>.*))?")
_ITEM: Final = re.compile(r"-(?:[ \t]+(?P<value>.*))?")
_FIRST_LINE: Final = re.compile(r"(?:(?:[ \t]*[\r\n])*+|(?:#[^\r\n]*[\r\n]+)*+)\w[\w .$/-]*:(?=[ \t\r\n]|\Z)")
_COMMENT: Final = re.compile(r"(?:^|(?<![ \t])[ \t]+)#.*")
_BLANKS: Final = re.compile(r"[ \t]*")
_LIST_WORD: Final = re.compile(r"[^,\[\]{}#]*(?:(?<=\S)#[^,\[\]{}#]*)*")
_LIST_SIGN: Final = re.compile(r"[ \t]*([,\]])")
_LIST_PAIR: Final = re.compile(r":(?:\s|$)")
_ENTRY_NOT_PLAIN: Final = re.compile(r"\[|[^\s:]+:(?:\s|$)|[-?](?:\s|$)")
_ESCAPE: Final = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.?))", re.DOTALL)
_ESCAPED: Final = {
    '"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "0": "", "b": "\b", " ": " ", "e": "\x1b",
}  # fmt: skip
_QUOTED: Final = re.compile(r"""(?P<double>"(?:[^"\\]|\\.)*+")|(?P<single>'(?:[^']|'')*+')""")
_NOT_READ: Final = {
    "|": "block scalars (|, >) are not read", ">": "block scalars (|, >) are not read",
    "{": "flow mappings {…} are not read", "&": "anchors (&) are not read", "!": "tags (!) are not read",
    "`": "a value may not begin with `; put it in quotes", "@": "a value may not begin with @; put it in quotes",
    "%": "a value may not begin with %; put it in quotes", "]": "a list is closed that was not opened",
    "}": "a mapping is closed that was not opened", ",": "a value may not begin with a comma",
    "#": "a value may not begin with #; put it in quotes",
}  # fmt: skip


class _OutsideGrammar(Exception):
    """A line that the grammar does not have; the message says why."""


def split(text: str) -> int:
    """Return the length of the front matter at the start of ``text``, fences included; 0 for none.

    A first line ``---`` is a ruler, and no front matter, where what follows is blank or a heading
    and no ``key:`` comes first. An opening that is never closed has length 0: its text stays body.
    """
    opening = _opening(text)
    closing = _CLOSING.search(text, opening.end(), MAX_CHARS) if opening else None
    cut_short = closing is not None and closing.end() == MAX_CHARS < len(text)
    return closing.end() if closing is not None and not cut_short else 0


def parse(text: str, chars: int) -> Metadata:
    """Return what the front matter of ``text`` says, before path rules.

    Args:
        text: the whole decoded text.
        chars: what ``split`` returned for it.
    """
    if not chars:
        unclosed = _opening(text) is not None
        error = f"line 1: the front matter is not closed by --- within {MAX_CHARS // 1024} KiB"
        return Metadata({}, "unparsed", error) if unclosed else Metadata({})
    block = text[:chars].replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    taken = _Block()
    for number, line in enumerate(block.split("\n")[1:-1], start=2):
        try:
            taken.take(line.rstrip(" \t"))
        except _OutsideGrammar as reason:
            return Metadata({}, "unparsed", f"line {number}: {reason}")
    values = {key: tuple(found) for key, found in taken.values.items() if found}
    title = values.get("title", ())
    return Metadata(values, "parsed", "", title[0].strip() or None if len(title) == 1 else None)


def resolve(rules: Rules, path: str, front: Metadata) -> Metadata:
    """Return a file's metadata: front matter wins over path rules, key by key.

    Args:
        rules: the root's path rules.
        path: the file's path below the root.
        front: what ``parse`` returned.
    """
    return front._replace(values={**rules.metadata(path), **front.values})


def _opening(text: str) -> re.Match[str] | None:
    """Return the opening fence; None where the text starts without one, or with a ruler."""
    opening = _OPENING.match(text)
    if opening is None or _FIRST_LINE.match(text, opening.end()):
        return opening
    first = text[opening.end() : opening.end() + 200].lstrip(" \t")
    return None if not first or first[0] in "\r\n#" else opening


class _Block:
    """The lines taken so far, and what the next one may belong to.

    Attributes:
        values: full key to its values; no values for an empty one.
        parent: top-level key without a value so far; None when the last one had a value.
        child: nested key without a value so far.
        nested_indent: indent of the nested keys of ``parent``; None before the first.
        list_indent: indent of the list being read; None outside a list.
    """

    def __init__(self) -> None:
        self.values: dict[str, list[str]] = {}
        self.parent: str | None = None
        self.child: str | None = None
        self.nested_indent: int | None = None
        self.list_indent: int | None = None

    def take(self, line: str) -> None:
        """Read one line, or raise ``_OutsideGrammar``."""
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if not bare or bare.startswith("#"):
            return
        if bare[0] == "\t":
            raise _OutsideGrammar("indented with a tab")
        item = _ITEM.fullmatch(bare)
        if item is not None:
            self._item(indent, item["value"] or "")
        elif indent:
            self._nested(indent, bare)
        else:
            self.list_indent = self.nested_indent = self.child = None
            self.parent = self._pair("", bare)

    def _item(self, indent: int, source: str) -> None:
        """Read an entry of a block list."""
        key = self.parent if self.child is None else f"{self.parent}.{self.child}"
        least = self.nested_indent if self.child is not None else 0
        misplaced = self.nested_indent is not None and self.child is None
        if self.parent is None or misplaced or indent < (least or 0) or self.list_indent not in (None, indent):
            raise _OutsideGrammar("a list entry that belongs to no key")
        self.list_indent = indent
        self.values[str(key)] += _scalar(source, in_list=True)

    def _nested(self, indent: int, bare: str) -> None:
        """Read a key below another key."""
        after_list = self.list_indent is not None and self.child is None
        if self.parent is None or after_list or self.nested_indent not in (None, indent):
            raise _OutsideGrammar("indented deeper than one level, or below a key that has a value")
        self.nested_indent = indent
        self.list_indent = None
        self.child = self._pair(f"{self.parent}.", bare)

    def _pair(self, prefix: str, bare: str) -> str | None:
        """Record one ``key: value``; return the key when it has no value yet."""
        pair = _KEY.fullmatch(bare)
        if pair is None:
            raise _OutsideGrammar(f"{bare[:40]!r} is no key: value")
        key = prefix + pair["key"].rstrip(" ")
        if key in self.values:
            raise _OutsideGrammar(f"the key {key!r} stands here twice")
        source = _COMMENT.sub("", pair["value"] or "") if (pair["value"] or "").startswith("#") else pair["value"] or ""
        self.values[key] = _inline_list(source) if source.startswith("[") else _scalar(source)
        return None if source else pair["key"].rstrip(" ")


def _scalar(source: str, *, in_list: bool = False) -> list[str]:
    """Return the one value that ``source`` writes; none when it is empty or ``~``."""
    quoted = _QUOTED.match(source)
    if quoted is not None:
        if _COMMENT.sub("", source[quoted.end() :]).strip():
            raise _OutsideGrammar("something stands behind the closing quote")
        return [_unquoted(quoted)]
    value = _COMMENT.sub("", source).strip(" \t")
    _check_plain(value)
    if in_list and _ENTRY_NOT_PLAIN.match(value):
        raise _OutsideGrammar("lists hold plain values only, no mappings or lists")
    return [] if value in ("", "~") else [value]


def _check_plain(value: str) -> None:
    """Refuse a value that means something else in YAML than the text it shows."""
    if value[:1] in ('"', "'"):
        raise _OutsideGrammar("a quote is not closed")
    if value[:1] in _NOT_READ and value:
        raise _OutsideGrammar(_NOT_READ[value[0]])
    if re.match(r"\*\w", value):
        raise _OutsideGrammar("aliases (*name) are not read")
    if re.match(r"[-?](?:\s|$)", value):
        raise _OutsideGrammar(f"a value may not begin with {value[0]!r} and a blank")


def _inline_list(source: str) -> list[str]:
    """Return the values of ``[a, "b, c"]``."""
    values: list[str] = []
    at = 1
    while True:
        at = _past(_BLANKS, source, at)
        quoted = _QUOTED.match(source, at)
        if quoted is not None:
            values.append(_unquoted(quoted))
            at = quoted.end()
        else:
            start, at = at, _past(_LIST_WORD, source, at)
            values += _list_word(source[start:at].strip(" \t"))
        end = _LIST_SIGN.match(source, at)
        if end is None:
            raise _OutsideGrammar("an inline list [a, b] holds plain values only and ends on its line")
        at = end.end()
        if end[1] == "]":
            break
    if _COMMENT.sub("", source[at:]).strip():
        raise _OutsideGrammar("something stands behind the closing ]")
    return values


def _past(pattern: re.Pattern[str], source: str, at: int) -> int:
    """Return where a match of ``pattern`` at ``at`` ends; ``at`` itself without one."""
    found = pattern.match(source, at)
    return found.end() if found else at


def _list_word(word: str) -> list[str]:
    """Return a plain value of an inline list; none for nothing and ``~``."""
    _check_plain(word)
    if _LIST_PAIR.search(word):
        raise _OutsideGrammar("lists hold plain values only, no mappings or lists")
    return [] if word in ("", "~") else [word]


def _unquoted(quoted: re.Match[str]) -> str:
    """Return what a quoted value says."""
    body = quoted[0][1:-1]
    if quoted["single"] is not None:
        return body.replace("''", "'")
    text = _ESCAPE.sub(_unescaped, body)
    try:  # \ud83d\ude00 is one letter written as two halves
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise _OutsideGrammar("half a letter is escaped") from None


def _unescaped(escape: re.Match[str]) -> str:
    """Return the sign that an escape in double quotes stands for."""
    digits = escape[1] or escape[2] or escape[3]
    if digits and int(digits, 16) <= 0x10FFFF:
        return chr(int(digits, 16)).replace("\0", "")
    if escape[4] not in _ESCAPED:
        raise _OutsideGrammar(f"the escape {escape[0]} is not read")
    return _ESCAPED[escape[4]]
