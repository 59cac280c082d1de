"""Which of a question's terms a chunk holds, as a whole and in each of its paragraphs."""

from __future__ import annotations

from functools import lru_cache

from treering.domain import scoring
from treering.domain.patterns import later
from treering.domain.text import head_text, search_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Final

    from treering.domain.chunk import Heading
    from treering.domain.query import Term
    from treering.ports import Keywords

# The words of a name: of ``JsonSchema.any_schema`` those behind the last dot, of ``getHTTPClient`` three.
_NAME_PART: Final = later(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
# Marks the end of a paragraph for the tokenizer; no language has this word.
_END: Final = "zqxjzqxj"
_BLANK_LINE: Final = later(r"\n[ \t]*\n")


class Holding:
    """A question's terms, ready to be looked for in many chunks."""

    def __init__(self, keywords: Keywords, terms: Sequence[Term], rarities: Sequence[float]) -> None:
        """Prepare the terms.

        Args:
            keywords: the index, which knows how words are compared.
            terms: what the question asks for.
            rarities: how telling each term is.
        """
        self._keywords = keywords
        self._rarities = rarities
        self.stems = [keywords.stems(" ".join(term.words)) for term in terms]
        self._letters = [_as_written(term.words[0]) for term in terms]
        self._bits: dict[str, int] = {}
        self._several: list[tuple[int, list[str]]] = []
        self._beginnings: list[tuple[int, str]] = []
        for place, (term, stems) in enumerate(zip(terms, self.stems, strict=True)):
            if term.prefix and stems:
                self._beginnings.append((1 << place, stems[-1]))
            elif len(stems) > 1:
                self._several.append((1 << place, stems))
            elif stems:
                self._bits[stems[0]] = self._bits.get(stems[0], 0) | 1 << place
        self._asked = frozenset([*self._bits, *(stem for _, stems in self._several for stem in stems)])
        # Candidates hold the same few terms, and passages of one source have the same head.
        self._heads: dict[str, int] = {}
        self._names: dict[str, float] = {}
        self._found: dict[tuple[int, frozenset[int]], tuple[scoring.Evidence, dict[str, float]]] = {}
        self._typed = [  # what stands for a symbol is not written as it is searched
            (1 << place, term.words[0])
            for place, (term, rarity) in enumerate(zip(terms, rarities, strict=True))
            if rarity and len(term.words) == 1 and term.words[0] == self._letters[place]
        ]
        self._words = sum(bit for bit, _ in self._typed)

    def evidence(
        self, title: str, path: tuple[Heading, ...], key: str, shown: str
    ) -> tuple[scoring.Evidence, dict[str, float]]:
        """Return how much of the question a chunk explains, and the stems that it holds with their rarities.

        Args:
            title: of its document.
            path: the headings above it.
            key: of its source.
            shown: its text, and what else the index has of it.
        """
        head = _head(title, path, key)
        everywhere = self._head(head)
        text = shown if shown.isascii() else search_text(shown)
        paragraphs = _BLANK_LINE.split(text)
        blocks = self._blocks(paragraphs)
        for mask in blocks:
            everywhere |= mask
        hidden = self._hidden(everywhere, text)
        apart = [_taken_apart(paragraph, hidden) for paragraph in paragraphs] if hidden else paragraphs
        if apart != paragraphs:
            blocks = self._blocks(apart)
            for mask in blocks:
                everywhere |= mask
        found, words = self._explained(everywhere, blocks)
        inflected = self._inflected(everywhere, head, text)
        return (found._replace(inflected=self._share(inflected)) if inflected else found), words

    def named(self, path: tuple[Heading, ...]) -> float:
        """Return the share of the words of the nearest heading above a chunk that the question holds, 0..1."""
        if not path:
            return 0.0
        name = path[-1].title
        share = self._names.get(name)
        if share is None:
            words = frozenset(self._keywords.stems(" ".join(_NAME_PART.findall(name.rpartition(".")[2]))))
            share = self._names[name] = len(words & self._asked) / len(words) if words else 0.0
        return share

    def _inflected(self, held: int, head: str, text: str) -> int:
        """Return the terms among those that are held whose word stands in head and text in another form alone."""
        missing = held & self._words
        lower = text.lower()
        for bit, word in self._typed:
            if missing & bit and word in lower:
                missing ^= bit
        if not missing:
            return 0
        rest = _unaccented((head if text.isascii() else f"{head} {text}").lower())
        return sum(bit for bit, word in self._typed if missing & bit and _unaccented(word) not in rest)

    def _share(self, terms: int) -> float:
        """Return the share of the question's rarity that some terms are."""
        return sum(self._rarities[place] for place in self._places(terms)) / sum(self._rarities)

    def _explained(self, everywhere: int, blocks: frozenset[int]) -> tuple[scoring.Evidence, dict[str, float]]:
        """Return the evidence of a chunk that holds these terms, and their stems with how telling each is."""
        found = self._found.get((everywhere, blocks))
        if found is not None:
            return found
        held = self._places(everywhere)
        stems: dict[str, float] = {}
        for place in held:
            for stem in self.stems[place]:
                stems[stem] = max(stems.get(stem, 0.0), self._rarities[place] / len(self.stems[place]))
        found = scoring.evidence(self._rarities, held, [self._places(mask) for mask in blocks]), stems
        self._found[everywhere, blocks] = found
        return found

    def _head(self, head: str) -> int:
        """Return the terms of a chunk's head as bits."""
        mask = self._heads.get(head)
        if mask is None:
            mask = self._heads[head] = self._mask(self._telling(self._keywords.stems(head)))
        return mask

    def _blocks(self, paragraphs: Sequence[str]) -> frozenset[int]:
        """Return the terms of each paragraph as bits, equal ones once."""
        words = self._keywords.stems(f" {_END} ".join(paragraphs))
        telling = self._telling(words)
        if len(paragraphs) == 1 or not telling:
            return frozenset((self._mask(telling),))
        kept = telling | {_END}
        masks = set()
        block: list[str] = []
        for word in [word for word in words if word in kept]:
            if word == _END:
                masks.add(self._mask(block))
                block = []
            else:
                block.append(word)
        masks.add(self._mask(block))
        return frozenset(masks)

    def _telling(self, words: Sequence[str]) -> frozenset[str]:
        """Return those of the words that a term of the question may be."""
        telling = self._asked.intersection(words)
        for _, beginning in self._beginnings:
            telling |= {word for word in words if word.startswith(beginning)}
        return telling

    def _hidden(self, held: int, text: str) -> list[str]:
        """Return the letters of terms that were not found and may stand in a name: ``user`` in ``getUser``, ``C++``."""
        missing = [
            letters for place, letters in enumerate(self._letters) if not held >> place & 1 and self._rarities[place]
        ]
        if not missing:
            return []
        lower = text.lower()
        return [letters for letters in missing if letters in lower]

    def _mask(self, words: Collection[str]) -> int:
        """Return the terms among ``words`` as bits."""
        mask = 0
        for word in words:
            mask |= self._bits.get(word, 0)
        for bit, stems in self._several:
            if all(stem in words for stem in stems):
                mask |= bit
        for bit, beginning in self._beginnings:
            if any(word.startswith(beginning) for word in words):
                mask |= bit
        return mask

    def _places(self, mask: int) -> list[int]:
        """Return the positions of the terms in ``mask``."""
        return [place for place in range(len(self._rarities)) if mask >> place & 1]


def _taken_apart(paragraph: str, hidden: Sequence[str]) -> str:
    """Return a paragraph with the parts of its names, if that can matter."""
    lower = paragraph.lower()
    return search_text(paragraph) if any(letters in lower for letters in hidden) else paragraph


def _as_written(word: str) -> str:
    """Return how a word that stands for a symbol is written: ``c++`` for ``cplusplus``."""
    for name, symbol in (("plusplus", "++"), ("sharp", "#")):
        if word.endswith(name) and len(word) == len(name) + 1:
            return word[0] + symbol
    return word


def _unaccented(text: str) -> str:
    """Return the letters of a text that are in ASCII, those with accents without them; none of other scripts."""
    if text.isascii():
        return text
    import unicodedata  # a question in ASCII needs none of it

    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


@lru_cache(maxsize=512)
def _head(title: str, path: tuple[Heading, ...], key: str) -> str:
    """Return what the index was given as the head of a chunk."""
    return head_text(title, (heading.title for heading in path), key)
