"""A language model whose answers a test writes, and replies in the wire's shape to write them with."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from research.operations.provider import Reply
from research.rules.prompt import Prompt

Answering = Callable[[Prompt], Reply]


class ScriptedModel:
    """Answers each prompt with the next of its script, the last one for ever; counts and keeps the prompts."""

    def __init__(self, *script: Reply | Exception | Answering) -> None:
        self.model_id = "scripted"
        self.script = list(script)
        self.prompts: list[Prompt] = []

    def generate(self, prompt: Prompt, deadline: float) -> Reply:
        assert deadline > 0
        self.prompts.append(prompt)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, Reply) else step(prompt)


def reply(text: str, tokens: int = 100, version: str = "scripted-1") -> Reply:
    return Reply(text=text, model_version=version, tokens=tokens)


def quoting(*quotations: tuple[str, str], **changes: Any) -> str:
    """A reply that quotes these (source, text) and claims, without a number, that they say what they say."""
    ids = [f"qt_{number}" for number in range(1, len(quotations) + 1)]
    wire: dict[str, Any] = {
        "quotations": [
            {"id": quoted, "source": source, "text": text}
            for quoted, (source, text) in zip(ids, quotations, strict=True)
        ],
        "answer": claim(ids, sufficient=True),
        "findings": [],
        "sentiment": [],
        "query_suggestions": [],
        "limitations": ["Only the selected texts were read."],
    }
    return json.dumps(wire | changes, ensure_ascii=False)


def claim(ids: Sequence[str], statement: str = "The reviewers describe it in their own words.", **more: Any) -> Any:
    return {**more, "statement": statement, "basis": "observed", "quotations": list(ids), "uncertainty": ""}
