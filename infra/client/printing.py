"""An answer as a person reads it. Plain text; colour only where the console has it."""

from typing import Any

from rich.console import Console
from rich.markup import escape

from infra.client.asking import Answered


def print_answer(console: Console, answered: Answered) -> None:
    """The statement, findings, labels, suggestions, limitations and ids, each claim with its quotations."""
    run = answered.status["run"]
    if answered.status["message"] is None or answered.citations is None:
        console.print(f"No answer: the run ended as {run['status']} ({run['failure_code']}).")
    else:
        _print_claims(console, answered.status["message"]["answer"], answered.citations["citations"])
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
    for text in (claim.get("uncertainty"), claim.get("rationale")):
        if text:
            _line(console, text, "italic")
    if claim.get("excluded_terms"):
        _line(console, f"Leave out: {', '.join(claim['excluded_terms'])}")
    for passage in passages:
        _line(console, f"    “{' '.join(passage['text'].split())}”", "green")
        _line(console, f"    — {_source(sources[passage['evidence_id']])}", "dim")


def _source(source: dict[str, Any]) -> str:
    return ", ".join(filter(None, (source["title"], source["author"], source["published_at"], source["url"])))


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(escape(text), style=style, soft_wrap=True)
