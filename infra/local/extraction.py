"""Answering without a model: choose the passages whose words meet the question's, and quote them.

Its answers are plain but honest: they claim nothing that the passages do not say, and say how they were made.
"""

# ruff: noqa: RUF001 - Japanese is punctuated in full width

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from infra.local.phrases import NEGATIVE, PHRASES, POSITIVE, STOP_WORDS, TOPICS, Phrases

_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\w))+[.!?。！？]*[”»\"')」]*")
_WORD = re.compile(r"[^\W\d_]+")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_IDEOGRAPHS = re.compile(r"[ァ-ヺー]{2,}|[一-鿿]{2,}|[가-힣]{2,}")
_UNQUOTABLE = re.compile(r"://|www\.|[\[\]<>`|\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]|\bev_|\bqt_", re.IGNORECASE)
_STEM = 4
_LONGEST_PASSAGE = 300
_SHORTEST_PASSAGE = 12
_MARKS = {f"#{topic}": pieces for topic, pieces in TOPICS.items()}
_BROAD = ("overview", "themes", "audiences", "sentiment")
_MOST_FINDINGS = 5
_MOST_SUGGESTIONS = 3
_QUERY_WORDS = 5


@dataclass(frozen=True, slots=True)
class Source:
    """One piece of evidence under its alias."""

    alias: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of a source, its quotation's id, and its words as they are compared."""

    id: str
    alias: str
    text: str
    language: str
    words: frozenset[str]


def extract(*, kind: str, question: str, language: str, sources: Sequence[Source]) -> dict[str, Any]:
    """A reply in the wire's form to a request of this kind."""
    phrases = PHRASES.get(_primary(language), PHRASES["en"])
    chosen = _chosen(kind, question, _primary(language), passages(sources))
    if not chosen:
        return _reply((), _claim(phrases.nothing, "inferred", ()), phrases, sufficient=False)
    best, *further = _one_each(chosen)
    statement = phrases.answer.format(text=best.text)
    main = _claim(statement, "observed", (best,), phrases.uncertainty)
    findings = [
        _claim(phrases.finding.format(text=item.text), "observed", (item,), phrases.uncertainty)
        for item in further[:_MOST_FINDINGS]
    ]
    if kind == "themes":
        findings = [
            _claim(phrases.theme.format(term=term, text=items[0].text), "observed", items, phrases.uncertainty)
            for term, items in _themes(chosen)
        ] or findings
    suggestions = _suggestions(chosen, phrases) if kind == "query_suggestions" else []
    reply = _reply(chosen, main, phrases, findings=findings, suggestions=suggestions)
    if kind == "sentiment":
        labels = [{"source": item.alias, "label": label(item.text)} for item in sources]
        reply["sentiment"] = [{**item, "uncertainty": phrases.label_uncertainty} for item in labels]
    return reply


def passages(sources: Iterable[Source]) -> list[Passage]:
    """Every sentence that can be quoted as it stands; of a very long one, its beginning."""
    found: list[Passage] = []
    for source in sources:
        for match in _SENTENCE.finditer(source.text):
            text = match.group().strip()
            if len(text) > _LONGEST_PASSAGE:
                text = text[:_LONGEST_PASSAGE].rpartition(" ")[0] or text[:_LONGEST_PASSAGE]
            long_enough = _columns(text) >= _SHORTEST_PASSAGE or text == source.text.strip()
            if long_enough and not _UNQUOTABLE.search(text):
                found.append(
                    Passage(f"qt_{len(found) + 1}", source.alias, text, _primary(source.language), words(text))
                )
    return found


def words(text: str) -> frozenset[str]:
    """What a text is compared by: its words' beginnings, pairs of characters where no space parts words, and topics."""
    folded = f" {unicodedata.normalize('NFKC', text).casefold()} "
    pairs = {run[i : i + 2] for run in _SPACELESS.findall(folded) for i in range(len(run) - 1)}
    spaced = {word for word in _WORD.findall(_SPACELESS.sub(" ", folded)) if len(word) > 2}
    topics = {mark for mark, pieces in _MARKS.items() if any(piece in folded for piece in pieces)}
    return frozenset(
        topics
        | {word[:_STEM] for word in spaced - STOP_WORDS}
        | {pair for pair in pairs if not all("\u3040" <= character <= "\u309f" for character in pair)}
    )


def label(text: str) -> str:
    """The attitude of a text by which of two short lists it meets more often."""
    folded = text.casefold()
    liked = sum(word in folded for word in POSITIVE)
    disliked = sum(word in folded for word in NEGATIVE)
    if liked == disliked:
        return "mixed" if liked else "neutral"
    return "positive" if liked > disliked else "negative"


def _chosen(kind: str, question: str, language: str, found: Sequence[Passage]) -> list[Passage]:
    """The passages that meet the question, rarer words and its language first; in a broad view the rest too."""
    asked = words(question)
    spread = Counter(word for passage in found for word in passage.words)
    weights = {word: (2 if word in _MARKS else 1) * math.log(1 + len(found) / spread[word]) for word in spread}
    scores = {item.id: sum(weights[word] for word in sorted(asked & item.words)) for item in found}
    ranked = sorted(found, key=lambda item: -scores[item.id] * (1.5 if item.language == language else 1))
    matching = [item for item in ranked if scores[item.id] > 0]
    return ranked if kind in _BROAD or (kind == "query_suggestions" and not matching) else matching


def _one_each(found: Iterable[Passage]) -> list[Passage]:
    first: dict[str, Passage] = {}
    for passage in found:
        first.setdefault(passage.alias, passage)
    return list(first.values())


def _themes(found: Sequence[Passage]) -> list[tuple[str, tuple[Passage, ...]]]:
    """What several sources write about, known topics first, each with a passage per source."""
    themes: dict[str, tuple[str, tuple[Passage, ...]]] = {}
    for term in _terms(found):
        meant = words(term)
        items = tuple(_one_each(passage for passage in found if meant & passage.words))
        if len(items) > 1:
            themes.setdefault(min(meant), (term, items))
    return [themes[key] for key in sorted(themes, key=lambda key: key not in _MARKS)][:_MOST_FINDINGS]


def _terms(found: Sequence[Passage]) -> list[str]:
    """The words of these passages as they are written, the most frequent first."""
    counted: Counter[str] = Counter()
    for passage in found:
        written = _WORD.findall(_SPACELESS.sub(" ", passage.text)) + _IDEOGRAPHS.findall(passage.text)
        counted.update(list(dict.fromkeys(word.casefold() for word in written if words(word))))
    return [term for term, _ in counted.most_common()]


def _suggestions(found: Sequence[Passage], phrases: Phrases) -> list[dict[str, Any]]:
    queries = [(" ".join(_terms([passage])[:_QUERY_WORDS]), passage) for passage in _one_each(found)]
    return [
        {
            "query": query,
            "excluded_terms": [],
            "quotations": [passage.id],
            "rationale": phrases.rationale.format(text=passage.text),
        }
        for query, passage in queries
        if query
    ][:_MOST_SUGGESTIONS]


def _claim(statement: str, basis: str, quoted: Sequence[Passage], uncertainty: str = "") -> dict[str, Any]:
    quotations = [passage.id for passage in quoted]
    return {"statement": statement, "basis": basis, "quotations": quotations, "uncertainty": uncertainty}


def _reply(
    quoted: Sequence[Passage],
    main: dict[str, Any],
    phrases: Phrases,
    *,
    findings: Sequence[dict[str, Any]] = (),
    suggestions: Sequence[dict[str, Any]] = (),
    sufficient: bool = True,
) -> dict[str, Any]:
    cited = {name for claim in (main, *findings, *suggestions) for name in claim["quotations"]}
    return {
        "quotations": [{"id": item.id, "source": item.alias, "text": item.text} for item in quoted if item.id in cited],
        "answer": {"sufficient": sufficient, **main},
        "findings": list(findings),
        "sentiment": [],
        "query_suggestions": list(suggestions),
        "limitations": [phrases.limitation],
    }


def _primary(language: str) -> str:
    return language.casefold().split("-")[0]


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
