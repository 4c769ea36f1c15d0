"""Sentiment (rule 5): exactly one label for each selected evidence, `unknown` where the reply has none that stands."""

from collections.abc import Sequence

from research.rules import prose
from research.rules.claims import Ledger, Text, text_fault
from research.rules.quotations import Source, source_index
from research.rules.wire import Label
from research.rules.wording import Wording
from research.words.contract import MAX_UNCERTAINTY, EvidenceRef, Sentiment


def label_all(
    labels: Sequence[Label],
    context: Sequence[EvidenceRef],
    sources: Sequence[Source],
    ledger: Ledger,
    words: Wording,
) -> tuple[Sentiment, ...]:
    """One label per evidence, in context order. What is withheld or unknown for want of a label is entered."""
    standing: list[list[Label]] = [[] for _ in context]
    entered: set[int] = set()
    for label in labels:
        index = source_index(label.source.strip(), len(sources))
        clean = label.model_copy(update={"uncertainty": prose.without_aliases(label.uncertainty)})
        fault = text_fault([Text(clean.uncertainty, 0, MAX_UNCERTAINTY)], sources[index : index + 1])
        if index < 0 or fault:
            ledger.withhold("labels", fault or "source")
            entered.add(index)
        else:
            standing[index].append(clean)
    return tuple(
        _chosen(standing[index], ref, ledger, words, is_entered=index in entered) for index, ref in enumerate(context)
    )


def _chosen(
    labels: Sequence[Label], ref: EvidenceRef, ledger: Ledger, words: Wording, *, is_entered: bool
) -> Sentiment:
    """The label that stands: the first, unless another contradicts it."""
    if len({label.label for label in labels}) == 1:
        ledger.withhold("labels", "count", len(labels) - 1)
        return Sentiment(**ref.model_dump(), label=labels[0].label, uncertainty=labels[0].uncertainty)
    if labels or not is_entered:
        ledger.withhold("labels", "label")
    return Sentiment(**ref.model_dump(), label="unknown", uncertainty=words.no_label)
