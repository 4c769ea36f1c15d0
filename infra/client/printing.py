"""An answer as a person reads it. Plain text; colour only where the console has it."""

import re
from typing import Any

from rich.console import Console

from infra.client.asking import Answered

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Evidence is a stranger's text: none of it may steer the terminal."""

_REASONS = {
    "not_configured": "This stack has no language model, or one that refuses its key.",
    "budget_exhausted": "The workspace has used up its runs or tokens of this UTC day.",
    "input_too_large": "The evidence and the question are more than a request may hold: choose less evidence.",
    "provider_unavailable": "The language model refused every try: ask again later.",
    "generation_unconfirmed": "The call to the language model broke off: ask again.",
    "invalid_output": "What the language model wrote did not hold: ask again, or in other words.",
}


def print_answer(console: Console, answered: Answered) -> None:
    """The statement, findings, labels, suggestions, limitations and ids, each claim with its quotations."""
    run, message = answered.status["run"], answered.status["message"]
    if message is None or answered.citations is None or answered.citations["citations"] is None:
        reason = _REASONS.get(run["failure_code"], "")
        _line(console, f"No answer: the run is {run['status']} ({run['failure_code']}). {reason}".rstrip())
    else:
        _print_claims(console, message["answer"], answered.citations["citations"])
    console.print()
    _line(console, f"conversation {run['conversation_id']}  run {run['id']}  model {run['model_id']}", "dim")


def _print_claims(console: Console, answer: dict[str, Any], citations: dict[str, Any]) -> None:
    sources = {source["evidence_id"]: source for source in citations["sources"]}
    claims = [("Answer", answer["answer"], citations["answer"])]
    claims += [("Finding", *pair) for pair in zip(answer["findings"], citations["findings"], strict=True)]
    suggestions = zip(answer["query_suggestions"], citations["query_suggestions"], strict=True)
    claims += [("Suggested query", *pair) for pair in suggestions]
    for heading, claim, cited in claims:
        _print_claim(console, heading, claim, cited["passages"], sources)
    console.print()
    for label in answer["sentiment"]:
        _line(console, f"Sentiment: {label['label']} — {_source(sources[label['evidence_id']])}")
    for limitation in answer["limitations"]:
        _line(console, f"Limitation: {limitation}")


def _print_claim(
    console: Console, heading: str, claim: dict[str, Any], passages: list[dict[str, Any]], sources: dict[str, Any]
) -> None:
    console.print()
    basis = f" ({claim['basis']})" if "basis" in claim else ""
    _line(console, f"{heading}{basis}", "bold")
    _line(console, claim.get("statement") or claim["query"])
    if claim.get("excluded_terms"):
        _line(console, f"Leave out: {', '.join(claim['excluded_terms'])}")
    for name in ("uncertainty", "rationale"):
        if claim.get(name):
            _line(console, f"{name.capitalize()}: {claim[name]}", "italic")
    for passage in passages:
        _line(console, f"    “{' '.join(passage['text'].split())}”", "green")
        _line(console, f"    — {_source(sources[passage['evidence_id']])}", "dim")


def _source(source: dict[str, Any]) -> str:
    named = (source["title"], source["author"], source["published_at"], source["url"])
    return ", ".join(filter(None, named)) or source["evidence_id"]


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(_CONTROLS.sub("�", text), style=style)
