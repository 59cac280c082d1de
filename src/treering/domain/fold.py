"""Names without what writers differ in: case, composition, and marks that nobody sees."""

from __future__ import annotations


def folded(text: str) -> str:
    """Return a text for comparison: case folded, composed (NFC), without format characters; idempotent.

    Zero-width marks, soft hyphens and marks of direction go: two names that look the same are the same.
    """
    if text.isascii():
        return text.casefold()
    import unicodedata  # a search that meets plain English alone does without it

    seen = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    caseless = unicodedata.normalize("NFD", unicodedata.normalize("NFD", seen).casefold())
    return unicodedata.normalize("NFC", caseless.casefold())
