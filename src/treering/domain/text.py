"""Text as the search sees it: one analysis for every backend.

``search_text`` prepares stored text and ``query_terms`` prepares questions, so that both sides
agree. Folding of case and accents and English stemming are left to one tokenizer, SQLite's
``porter unicode61`` (``docs/decisions/0003-one-tokenizer.md``). Also here: fingerprints of equal
text and the estimate of LLM tokens.
"""

from __future__ import annotations

import re
from functools import lru_cache

from treering.domain.patterns import later
from treering.domain.query import Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final

    from treering.domain.letters import Letters

ANALYSIS_VERSION: Final = 4
"""Raised whenever ``search_text`` changes; a store with another number rebuilds its keyword index."""

MAX_TERMS: Final = 256
"""Distinct terms taken from one question; a pasted page has thousands."""

# Patterns for text beyond ASCII are compiled where they are first needed: together they take 2 ms.
# Scripts written without spaces, or with particles glued to words, are indexed as pairs of letters.
# Two ranges of the basic plane and no more: a third one makes the pattern 3 ms dearer to compile.
CJK_RUN: Final = "[\u3040-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]+"
# The accents that it drops inside a word, where no composed letter exists, as on a stressed Russian vowel.
_ACCENTS: Final = "[\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b\u0323-\u0328\u032d\u032e\u0330\u0331]+"
# Thai, Lao, Burmese and Khmer: no spaces either, and so few letters that pairs stand in any text; three are a term.
UNSPACED_RUN: Final = "[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]+"
# Possessive quantifiers keep this linear on any input.
_CAMEL: Final = later(r"(?:[A-Z]*+[a-z0-9]++[A-Z]|[A-Z]{2,}+[a-z]{2})[A-Za-z0-9]*+")
# What such a name has and nothing else; half of all chunks have none.
_CAMEL_HINT: Final = later(r"[A-Z](?:(?<=[a-z0-9][A-Z])|[A-Z][a-z]{2})")
_NAME_REST: Final = later(r"[A-Za-z0-9]*")
_NAME_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_CAMEL_PIECE: Final = later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SYMBOL_NAME: Final = later(r"(?<![A-Za-z0-9])([CFcf])(\+\+|#)(?![A-Za-z0-9])")
_SYMBOL_HINTS: Final = ("C++", "c++", "F++", "f++", "C#", "c#", "F#", "f#")
_SYMBOL_WORDS: Final = {"++": "plusplus", "#": "sharp"}
# Small letters and digits stay, all else of ASCII separates: what ``_WORD`` finds.
_ASCII_WORDS: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(256))
_NO_ASCII_LETTERS: Final = bytes(code for code in range(256) if code > 127 or not chr(code).isalpha())
_ASCII: Final = "[\x00-\x7f]+"
_COMPOUND: Final = later(r"[^\W_]+(?:['’._/\\:@+&-]+[^\W_]+)*")
_WORD: Final = later(r"[^\W_]+")
# Greek, Cyrillic and everything further east; Latin with its accents ends before. Compiled where it is first needed.
_OTHER_SCRIPTS: Final = "[\u0370-\u1dff\u2c00-\u2c5f\u2d00-\u2dff\u2e80-\ua71f\ua800-\uab2f\uab70-\ufaff]+"
# Latin with its accents, and the digits of every script's readers.
_WRITINGS: Final = {
    "latin": "[0-9A-Za-z\u00aa-\u02af\u1e00-\u1eff]",
    "cyrillic": "[\u0400-\u052f]",
    "arabic": "[\u0620-\u064a\u0660-\u06d3]",
    "thai": "[\u0e01-\u0e4e]",
    "cjk": "[\u3041-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]",
}
_TOKEN: Final = later(r"[A-Za-z]{1,7}|[0-9]{1,3}|-{1,4}|={1,4}|#{1,4}|`{1,3}|[^\sA-Za-z0-9]|\n")
_BEYOND_ASCII: Final = later("[^\x00-\x7f]+")
# The patterns for more of them take 4 ms to compile, of which a search from the shell needs none.
_FEW_BEYOND: Final = 200
_WIDE: Final = "[\U00010000-\U0010ffff]"
_ACCENTED_TOKEN: Final = later(_TOKEN.pattern.replace("{1,7}", "{1,5}"))
_PICTURED: Final = "[\u2300-\u23ff\u2600-\u27bf]"
_ACCENTED: Final = "[\u00c0-\u024f\u1e00-\u1eff]"
_IDEOGRAPH: Final = "[\u3040-\u9fff\uac00-\ud7a3]"
_IDEOGRAPH_HUNDREDTHS: Final = 31

_ENGLISH: Final = frozenset(
    """a about above after again all also am an and any are aren't as at be because been before being
    below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't
    down during each either else ever every few for from further get gets had hadn't has hasn't have
    haven't having he her here hers herself him himself his how i i'd i'll i'm i've if in into is
    isn't it it's its itself just let's many may me might more most much must my myself neither no
    nor not of off on once only or other our ours ourselves out over own same shall she should
    shouldn't so some such than that that's the their theirs them themselves then there there's these
    they they'd they'll they're they've this those through to too under until up upon us very was
    wasn't we we'd we'll we're we've were weren't what what's when where which while who who's whom
    whose why will with won't would wouldn't yes yet you you'd you'll you're you've your yours
    yourself yourselves s t d ll re ve m""".split()
)
# Of those, what other languages in Latin letters do not write the same.
_PLAINLY_ENGLISH: Final = frozenset(
    """the what which how are does did when where who why of and my our your with for from this that have has had i you
    we it they he she should would could can't don't doesn't didn't""".split()
)
_NO_SENTENCE: Final = 3
_SPANISH: Final = frozenset(
    """a al algo algún alguna algunas alguno algunos ante antes aunque cada como cómo con contra cual
    cuál cuáles cuales cuando cuándo cuánto cuántos cuánta cuántas de del desde donde dónde durante e
    el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto
    estos fue fueron ha han hasta hay la las le les lo los más me mi mis mucho muy ni no nos nosotros
    o os para pero por porque qué que quien quién quiénes se sea ser si sí sido sin sobre son su sus
    también tanto te tiene tienen tu tú tus u un una unas uno unos y ya yo""".split()
)
_CHINESE_WORDS: Final = (
    "为什么|什么时候|什么|怎么样|怎么|怎样|如何|哪里|哪儿|哪些|哪个|哪位|是否|多少|请问|我们|你们|他们"
)
_CHINESE_PARTICLES: Final = frozenset("的了吗呢吧啊么呀嘛着")
_TRIPLE: Final = 3
# Below this many letters a word that the corpus lacks is too short to be read as a prefix.
_MIN_PREFIX: Final = 3


def search_text(text: str, letters: Letters | None = None) -> str:
    """Return what a keyword index is given for ``text``.

    Letters of Chinese, Japanese and Korean become overlapping pairs; the parts of camelCase names
    and the words for ``C++`` and ``C#`` are added at the end. Time is linear in the text.

    Args:
        text: the text.
        letters: of a text that it is a part of, where that is known.
    """
    if not text.isascii():
        from treering.domain.letters import indexed, letters_of  # a question in ASCII needs none of it

        letters = letters or letters_of(text)
        if letters.strange:
            text = indexed(text, letters)
    extra = [piece for name in dict.fromkeys(_camel_names(text)) for piece in _CAMEL_PIECE.findall(name)]
    if ("#" in text or "++" in text) and any(mark in text for mark in _SYMBOL_HINTS):
        extra += [m[1] + _SYMBOL_WORDS[m[2]] for m in _SYMBOL_NAME.finditer(text)]
    return f"{text} {' '.join(extra)}" if extra else text


def _camel_names(text: str) -> Iterator[str]:
    """Yield the camelCase names of a text; looking from their capitals takes half of the time."""
    end = 0
    for hint in _CAMEL_HINT.finditer(text):
        start = hint.start()
        if start >= end:
            end = hint.end()
            while start and text[start - 1] in _NAME_LETTERS:
                start -= 1
            rest = _NAME_REST.match(text, end)
            end = rest.end() if rest else end
            yield text[start:end]


def head_text(title: str, headings: Iterable[str], key: str, letters: Letters | None = None) -> str:
    """Return what the keyword index is given as the head of a chunk: title, headings, words of the path.

    Args:
        title: of the document.
        headings: above the chunk, the outermost first.
        key: of the source.
        letters: of all of that, and what else there is, where it is known.
    """
    return search_text(f"{' '.join(dict.fromkeys([title, *headings]))} {_place(key)}", letters)


@lru_cache(maxsize=16)
def _place(key: str) -> str:
    """Return the words of a path; the chunks of a file share them."""
    kind, _, name = key.partition(":")
    return "" if kind == "note" else " ".join(_WORD.findall(name))  # a note is named by a number


def query_terms(text: str) -> tuple[Term, ...]:
    """Return what a question asks for, without the words that every text has.

    Empty when the question holds nothing to look for (``"what is the"``, ``"???"``). A name such as
    ``max_tokens`` yields its parts and, with weight 0, the whole as words that stand together;
    ``3.11`` only the whole. At most ``MAX_TERMS`` terms.
    """
    if not text.isascii():
        from treering.domain.letters import is_unspaced, plain

        text, strange = plain(text)
        if any(map(is_unspaced, strange)):
            text = re.sub(UNSPACED_RUN, r" \g<0> ", text)
        if any("\u0300" <= letter <= "\u0331" for letter in strange):
            text = re.sub(_ACCENTS, "", text)
    found: dict[Term, None] = {}
    for symbol in _SYMBOL_NAME.finditer(text):
        found[Term(((symbol[1] + _SYMBOL_WORDS[symbol[2]]).lower(),))] = None
    stop = _stop_words(text)
    for compound in _COMPOUND.finditer(_SYMBOL_NAME.sub(" ", text)):
        for term in _compound_terms(compound[0], stop):
            found[term] = None
        if len(found) >= MAX_TERMS:
            break
    return tuple(found)[:MAX_TERMS]


def content_words(text: str) -> frozenset[str]:
    """Return the distinct words of a text in lower case, pairs of letters for Chinese, without English stop words."""
    if text.isascii():  # a quarter of the time
        return frozenset(text.encode().translate(_ASCII_WORDS).decode().split()) - _ENGLISH
    return frozenset(_WORD.findall(search_text(text).lower())) - _ENGLISH


def _stop_words(text: str) -> frozenset[str]:
    """Return the stop list of the question's language: Spanish where it plainly is, else English."""
    words = [word.lower() for word in _WORD.findall(text[:2000])]
    spanish = sum(word in _SPANISH for word in words)
    english = sum(word in _ENGLISH for word in words)
    plainly = spanish > english and (spanish > 1 or "¿" in text)
    return _SPANISH if plainly else _ENGLISH


def _compound_terms(compound: str, stop: frozenset[str]) -> list[Term]:
    """Return the terms of one run of letters, digits and joining marks."""
    if compound.replace("’", "'").lower() in stop:
        return []
    words = _WORD.findall(compound)
    if len(words) > 1 and all(word.isdigit() or len(word) == 1 for word in words):
        return [Term(tuple(word.lower() for word in words))]  # 1.2.3, e.g., I/O
    terms: list[Term] = []
    for word in words:
        if not word.isascii() and re.search(CJK_RUN, word):
            terms += _mixed_script_terms(word, stop)
        elif not word.isascii() and re.match(UNSPACED_RUN, word):
            terms += _triple_terms(word)
        elif word.lower() not in stop:
            pieces = _CAMEL_PIECE.findall(word) if _CAMEL.fullmatch(word) else []
            if len(pieces) > 1:
                terms += [Term((piece.lower(),)) for piece in pieces]
                terms.append(Term((word.lower(),), weight=0.0))
            else:
                terms.append(Term((word.lower(),)))
    if len(words) > 1 and compound.isascii():
        terms.append(Term(tuple(word.lower() for word in words), weight=0.0))
    return terms


def _mixed_script_terms(word: str, stop: frozenset[str]) -> list[Term]:
    """Return the terms of a word that holds CJK letters, alone or next to others."""
    terms: list[Term] = []
    at = 0
    for run in re.finditer(CJK_RUN, word):
        terms += [Term((w.lower(),)) for w in (word[at : run.start()],) if w and w.lower() not in stop]
        for part in re.split(_CHINESE_WORDS, run[0]):
            terms += _pair_terms(part)
        at = run.end()
    rest = word[at:]
    return terms + ([Term((rest.lower(),))] if rest and rest.lower() not in stop else [])


def _triple_terms(run: str) -> list[Term]:
    """Return the threes of a run of Thai and the like; one or two letters may begin any three."""
    if len(run) <= _TRIPLE:
        return [Term((run,), prefix=len(run) < _TRIPLE)]
    threes = dict.fromkeys(run[at : at + _TRIPLE] for at in range(len(run) - _TRIPLE + 1))
    return [Term((three,)) for three in threes][:MAX_TERMS]


def _pair_terms(run: str) -> list[Term]:
    """Return the pairs of one CJK run; a single letter may begin any pair."""
    if len(run) == 1:
        return [] if run in _CHINESE_PARTICLES else [Term((run,), prefix=True)]
    pairs = dict.fromkeys(run[i : i + 2] for i in range(len(run) - 1))
    return [Term((pair,)) for pair in pairs if not _CHINESE_PARTICLES.intersection(pair)][:MAX_TERMS]


def as_prefix(term: Term) -> Term | None:
    """Return ``term`` as the beginning of a longer word; None where that would match too much."""
    if term.prefix or len(term.words) > 1 or len(term.words[0]) < _MIN_PREFIX:
        return None
    return term._replace(prefix=True)


def may_be_english(text: str) -> bool:
    """Tell whether a question may be English: it has a word that only English builds sentences with, or is too short.

    Three words of ASCII without any say nothing of their language; a sentence without any is in another one.
    """
    words = [word.lower() for word in _WORD.findall(text[:2000])]
    return not _PLAINLY_ENGLISH.isdisjoint(words) or (text.isascii() and len(words) <= _NO_SENTENCE)


def is_plainly_foreign(text: str) -> bool:
    """Tell whether a question in Latin letters is plainly in another language than English.

    It has no word that only English builds sentences with, and Spanish ones or a letter with a mark.
    """
    if not _PLAINLY_ENGLISH.isdisjoint(word.lower() for word in _WORD.findall(text[:2000])):
        return False
    return _stop_words(text) is _SPANISH or any(letter.isalpha() and not letter.isascii() for letter in text[:2000])


def is_mostly_latin(text: str) -> bool:
    """Tell whether a text is mostly in Latin letters, or has none; an ideograph counts like three of them."""
    if text.isascii():
        return True
    beyond = re.sub(_ASCII, "", text)
    others = len(beyond) - len(re.sub(_OTHER_SCRIPTS, "", beyond))
    if not others:
        return True
    latin = len(text.encode("ascii", "ignore").translate(None, _NO_ASCII_LETTERS))
    return others < latin and others + 2 * (len(beyond) - len(re.sub(CJK_RUN, "", beyond))) < latin


def has_cjk(text: str) -> bool:
    """Tell whether a text has two letters of Chinese, Japanese or Korean side by side."""
    return not text.isascii() and any(len(run) > 1 for run in re.findall(CJK_RUN, text))


def writing(text: str) -> str:
    """Return the script that most letters of a text are in, as ``_WRITINGS`` names it.

    Empty for a text without letters and digits, ``other`` for a script that is not named there. An ideograph
    counts like three letters. Digits are Latin.
    """
    if text.isascii():
        return "latin" if _WORD.search(text) else ""
    counts = {name: len(re.findall(pattern, text)) for name, pattern in _WRITINGS.items()}
    counts["cjk"] *= 3
    counts["other"] = len(re.findall(r"[^\W_]", text)) - sum(counts.values()) + counts["cjk"] * 2 // 3
    name = max(counts, key=lambda name: counts[name])
    return name if counts[name] > 0 else ""


def fingerprint(text: str) -> int:
    """Return a signed 64-bit number that is equal for equal text, white space and case aside."""
    from hashlib import blake2b  # 5 ms of OpenSSL that a search does not need

    folded = " ".join(text.split()).casefold()
    return int.from_bytes(blake2b(folded.encode(), digest_size=8).digest(), "big", signed=True)


def llm_tokens(text: str) -> int:
    """Estimate how many tokens a language model counts for ``text``; errs on the high side.

    A run of up to seven letters, three digits or four dashes, a mark, a line break and a letter of any other script are
    one token each; an emoji or another letter beyond the basic plane is three, a pictured sign two. To that comes three
    tenths for ideographs and Hangul, which older vocabularies often write in two tokens. Where accents tell that Latin
    letters are not English, a run has up to five: such words fall to pieces. (Measured:
    ``docs/decisions/0077-token-estimate.md``.)
    """
    if text.isascii():
        return len(_TOKEN.findall(text))
    beyond = "".join(_BEYOND_ASCII.findall(text))
    if len(beyond) <= _FEW_BEYOND:
        accented, wide, pictured, ideographs = _counted(beyond)
    else:
        accented, wide, pictured, ideographs = (
            len(re.findall(pattern, beyond)) for pattern in (_ACCENTED, _WIDE, _PICTURED, _IDEOGRAPH)
        )
    found = len((_ACCENTED_TOKEN if 100 * accented > len(text) else _TOKEN).findall(text))
    return found + 2 * wide + pictured + -(-_IDEOGRAPH_HUNDREDTHS * ideographs // 100)


def _counted(beyond: str) -> tuple[int, int, int, int]:
    """Return how many letters are accented, beyond the basic plane, pictured signs and ideographs."""
    accented = wide = pictured = ideographs = 0
    for letter in beyond:
        if letter < "\u0250" or "\u1e00" <= letter <= "\u1eff":
            accented += letter >= "\u00c0"
        elif letter < "\u3040":
            pictured += "\u2300" <= letter <= "\u23ff" or "\u2600" <= letter <= "\u27bf"
        elif letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3":
            ideographs += 1
        else:
            wide += letter >= "\U00010000"
    return accented, wide, pictured, ideographs
