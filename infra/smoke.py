"""`make smoke-gemini`: one real call to Gemini per kind of request, and what came of it.

Prompt, adapter and verification are those of the service; the evidence is the sample. It costs a few cents.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from infra import evidence_files
from infra.local.gemini_relay import Exchange, GeminiRelay
from research.adapters.gemini import Gemini
from research.operations.provider import NotGenerated, Reply, Unconfirmed, Unusable
from research.rules import prompt, wire
from research.rules.answers import InvalidOutput, verify
from research.rules.quotations import Source, locate
from research.rules.sentences import sentences
from research.rules.transitions import CALL_DEADLINE
from research.wiring import Settings
from research.words import ids
from research.words.contract import Answer, EvidenceRef, RequestKind
from research.words.records import EvidenceText

SAMPLE = Path(__file__).resolve().parent.parent / "events" / "evidence.jsonl"
LANGUAGE = "en"
QUESTIONS: dict[RequestKind, str] = {
    "question": "How long does the battery last, and how loud is it?",
    "overview": "What do the reviews say about this fan?",
    "themes": "Which themes recur in these reviews?",
    "audiences": "Who uses this fan, and what matters to them?",
    "sentiment": "How do the reviewers feel about this fan?",
    "query_suggestions": "What should we search for to learn more about the battery?",
}
_WITHOUT_KEY = "smoke-gemini: skipped, because GEMINI_API_KEY is not set. With a key it makes one real call per kind."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call came to. `fault` is why there is no answer, empty if there is one."""

    kind: RequestKind
    exchanges: tuple[Exchange, ...]
    fault: str = ""
    model_version: str | None = None
    tokens: int = 0
    said: wire.Reply | None = None
    verified_quotations: int = 0
    answer: Answer | None = None


def main(environment: Mapping[str, str], console: Console) -> int:
    """Ask, print, and return the exit code: 0 if every kind was accepted or there is no key."""
    settings = Settings.from_environment({**environment, "TABLE_NAME": "", "QUEUE_URL": ""})
    if not settings.gemini_api_key:
        console.print(_WITHOUT_KEY, soft_wrap=True)
        return 0
    sources = [EvidenceText(**source.model_dump(exclude={"id"})) for source in evidence_files.read(SAMPLE)]
    console.print(f"Asking {settings.gemini_model} about {len(sources)} sample texts, once per kind.", markup=False)
    outcomes: list[Outcome] = []
    with GeminiRelay(settings.gemini_base_url) as relay:
        gemini = Gemini(settings.gemini_api_key, settings.gemini_model, relay.base_url)
        for kind in QUESTIONS:
            outcomes.append(_asked(gemini, relay, kind, sources))
            _print(console, outcomes[-1])
    _print_sum(console, outcomes)
    return 1 if any(outcome.fault for outcome in outcomes) else 0


def _asked(gemini: Gemini, relay: GeminiRelay, kind: RequestKind, sources: Sequence[EvidenceText]) -> Outcome:
    asked = prompt.write(
        kind=kind, question=QUESTIONS[kind], language=LANGUAGE, sources=sources, history=(), seal=ids.new()
    )
    before = len(relay.exchanges)
    try:
        reply = gemini.generate(asked, CALL_DEADLINE.total_seconds())
    except Unusable as failure:
        fault = f"{failure.code}: {failure.reason}"
        return Outcome(kind, tuple(relay.exchanges[before:]), fault, failure.model_version, failure.tokens)
    except (NotGenerated, Unconfirmed) as failure:
        return Outcome(kind, tuple(relay.exchanges[before:]), failure.code)
    return _judged(kind, tuple(relay.exchanges[before:]), reply, sources)


def _judged(
    kind: RequestKind, exchanges: tuple[Exchange, ...], reply: Reply, sources: Sequence[EvidenceText]
) -> Outcome:
    context = [EvidenceRef(evidence_id=ids.derived("sample", str(place)), revision=1) for place in range(len(sources))]
    fault, said, verified, answer = "", None, 0, None
    try:
        said = wire.parse(reply.text)
        read = [Source(source) for source in sources]
        verified = sum(locate(quotation, read) is not None for quotation in said.quotations)
        answer = verify(
            reply.text, kind=kind, context=context, sources=sources, question=QUESTIONS[kind], language=LANGUAGE
        ).answer
    except InvalidOutput as refusal:
        fault = f"invalid_output: {refusal.reason}"
    return Outcome(kind, exchanges, fault, reply.model_version, reply.tokens, said, verified, answer)


def _print(console: Console, outcome: Outcome) -> None:
    lines = [f"\n{outcome.kind}: {f'not accepted, {outcome.fault}' if outcome.fault else 'accepted'}"]
    lines += [f"  schema      {line}" for line in _schema_lines(outcome.exchanges)]
    if outcome.tokens:
        lines.append(f"  model       {outcome.model_version}")
        lines.append(f"  tokens      {outcome.tokens} {_parts(outcome.exchanges[-1].usage)}")
    if outcome.said:
        lines.append(f"  quotations  {outcome.verified_quotations} of {len(outcome.said.quotations)} verified")
    if outcome.said and outcome.answer:
        lines.append(f"  published   {_published(outcome.said, outcome.answer)}")
        lines.append(f"  withheld    {_withheld(outcome.answer)}")
    for line in lines:
        console.print(line, markup=False, soft_wrap=True)


def _schema_lines(exchanges: Sequence[Exchange]) -> list[str]:
    """Each request with its answer; the last word is whether the fallback was needed."""
    lines = [
        f"{one.schema}: {'no answer' if one.status is None else one.status}{one.said and f', {one.said}'}"
        for one in exchanges
    ]
    if [one.schema for one in exchanges] == ["rich", "plain"]:
        accepted = exchanges[-1].status == 200
        lines.append("the plain fallback was needed" if accepted else "the plain fallback did not help either")
    return lines


def _parts(usage: Mapping[str, int]) -> str:
    named = {"prompt": "promptTokenCount", "reply": "candidatesTokenCount", "thinking": "thoughtsTokenCount"}
    return f"({', '.join(f'{name} {usage.get(field, 0)}' for name, field in named.items())})"


def _published(said: wire.Reply, answer: Answer) -> str:
    counts = {
        "findings": (len(answer.findings), len(said.findings)),
        "suggestions": (len(answer.query_suggestions), len(said.query_suggestions)),
        "labels": (len(answer.sentiment), len(said.sentiment)),
    }
    return ", ".join(f"{name} {kept} of {given}" for name, (kept, given) in counts.items())


def _withheld(answer: Answer) -> str:
    """The service's own disclosure, which counts what was withheld and says why."""
    start = sentences(LANGUAGE).disclosure.partition("{")[0]
    return next((text for text in answer.limitations if text.startswith(start)), "nothing")


def _print_sum(console: Console, outcomes: Sequence[Outcome]) -> None:
    quoted = sum(len(outcome.said.quotations) for outcome in outcomes if outcome.said)
    verified = sum(outcome.verified_quotations for outcome in outcomes)
    share = f", {verified / quoted:.1%} of {quoted} quotations verified" if quoted else ""
    accepted = sum(not outcome.fault for outcome in outcomes)
    tokens, posts = sum(outcome.tokens for outcome in outcomes), sum(len(outcome.exchanges) for outcome in outcomes)
    console.print(
        f"\n{accepted} of {len(outcomes)} kinds accepted{share}; {posts} requests, {tokens} tokens.",
        markup=False,
        soft_wrap=True,
    )


if __name__ == "__main__":
    sys.exit(main(os.environ, Console(highlight=False)))
