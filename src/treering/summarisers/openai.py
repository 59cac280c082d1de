"""Any endpoint that speaks OpenAI's chat completions, on this machine or elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.summarisers import http

if TYPE_CHECKING:
    from collections.abc import Sequence

_URL = "https://api.openai.com/v1"


class OpenAiSummariser:
    """``ports.tree.Summariser`` by an OpenAI-compatible endpoint."""

    def __init__(self, url: str, model: str, key: str, timeout_s: float) -> None:
        """Remember whom to ask; nothing is sent.

        Args:
            url: up to the version, e.g. ``http://localhost:11434/v1``; empty for OpenAI's own.
            model: the model's name there.
            key: sent as a bearer token; empty for none.
            timeout_s: how long a reply may take.
        """
        self._url = f"{(url or _URL).rstrip('/')}/chat/completions"
        self._model = model
        self._key = key
        self._timeout_s = timeout_s
        self.id = f"openai/{model}/1"

    def summarise(self, texts: Sequence[str], max_chars: int) -> str:
        """Return what the model says of the texts.

        Raises:
            Unavailable: if it says nothing usable.
        """
        body = {
            "model": self._model,
            "max_tokens": http.TOKENS,
            "temperature": 0,
            "messages": [
                {"role": "system", "content": http.ORDERS.format(chars=max_chars)},
                {"role": "user", "content": http.notes(texts)},
            ],
        }
        headers = {"authorization": f"Bearer {self._key}"} if self._key else {}
        reply = http.post(self._url, headers, body, self._timeout_s)
        return http.words(reply, "choices", 0, "message", "content")
