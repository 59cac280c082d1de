"""What rules about orders in text are made of: form, reasons, and words that many share."""

from __future__ import annotations

from typing import Final

from treering.domain.named import NamedTuple


class Rule(NamedTuple):
    """One way in which text gives orders.

    Attributes:
        why: the reason that is given.
        hints: words in lower case, one of which stands in every text that the pattern matches.
        pattern: what is looked for in folded text.
    """

    why: str
    hints: tuple[str, ...]
    pattern: str


OVERRIDE: Final = "it says to ignore instructions or rules"
AS_OWNER: Final = "it claims to speak for the owner"
STATUS: Final = "it claims a trust or a confirmation"
CALL: Final = "it says to call a tool"
FORGED: Final = "it holds marks that part an agent's instructions from data"
ADDRESS: Final = "it addresses an agent that reads it"
ROLE: Final = "it gives an agent a new role or new rules"
HIDE: Final = "it asks to keep something from the user, or to tell what is secret"
SEND: Final = "it says to send something away"
MEMORIES: Final = "it says to change other memories"
WRITTEN_EN: Final = "(?:instructions?|directions?|directives|prompts?|guidelines|rules|commands|orders|constraints)"
WRITTEN_ES: Final = "(?:instrucci(?:ones|ón)|indicaciones|órdenes|ordenes|directrices|directivas|reglas|normas)"
WRITTEN_ZH: Final = "(?:指令|指示|规则|規則|提示|说明|說明|命令|约束|限制|设定)"
AGENT_EN: Final = (
    "(?:assistants?|agents?|ai|ais|llms?|language models?|chat ?bots?|claude|chatgpt|gpt|copilot|gemini|codex|models?)"
)
AGENT_ES: Final = "(?:asistentes?|agentes?|ia|modelos?(?: de lenguaje)?|claude|chatgpt|gpt|copilot|gemini|codex)"
AGENT_ZH: Final = "(?:ai|人工智能|智能|语言)?(?:助手|助理|智能体|机器人|claude|chatgpt|gpt|(?<=ai)代理|(?<=语言)模型)"
OWNER_EN: Final = "(?:the )?(?:owner|user|administrator|admin|operator|developer)"
