"""Claims (rule 3): which of the texts of a reply may be published, and on which passages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from research.rules import links, numbers, prose
from research.rules.folding import fold
from research.rules.quotations import Source, locate
from research.rules.wire import Reply
from research.rules.wording import Item, Why, Wording
from research.words.records import Span


@dataclass(frozen=True, slots=True)
class Text:
    """A text that would be published, and its bounds in code points."""

    content: str
    least: int
    most: int

    def is_fitting(self) -> bool:
        """Whether the contract takes it. What shows nothing at all says nothing, however long it is."""
        return self.least <= len(self.content) <= self.most and (
            not self.least or bool(fold(self.content).text.strip())
        )


@dataclass(slots=True)
class Ledger:
    """What was withheld, by sort of item and by reason."""

    items: Counter[Item] = field(default_factory=Counter)
    reasons: Counter[Why] = field(default_factory=Counter)

    def withhold(self, item: Item, why: Why, number: int = 1) -> None:
        """Enters `number` items that are not published, none if it is not positive."""
        if number > 0:
            self.items[item] += number
            self.reasons[why] += number

    def sentence(self, words: Wording) -> tuple[str, ...]:
        """The one limitation that discloses it all, or none if nothing was withheld."""
        return (words.withheld(self.items, self.reasons),) if self.items else ()


class Review:
    """One reply held against its sources. Each quotation is looked for once, when a claim first cites it."""

    def __init__(self, reply: Reply, sources: Sequence[Source], question: str, language: str) -> None:
        self.sources = sources
        self._language = language
        self._question = numbers.supplied(question, None)
        self._dressed = numbers.dressed(question)
        self._quotations = reply.by_id()
        self._spans: dict[str, Span | None] = {}

    def cited(self, names: Iterable[str]) -> tuple[Span, ...]:
        """The passages of those quotations that hold, each once, in the order in which they are cited."""
        spans = [self._located(name.strip()) for name in names]
        return tuple(dict.fromkeys(span for span in spans if span))

    def unheld(self) -> int:
        """How many of the quotations cited so far do not hold."""
        return sum(span is None for span in self._spans.values())

    def of(self, spans: Iterable[Span]) -> tuple[Source, ...]:
        """The sources of these passages, in context order."""
        return tuple(self.sources[index] for index in sorted({span.source for span in spans}))

    def claim_fault(self, texts: Sequence[Text], figures: str, spans: Sequence[Span]) -> Why | None:
        """Why a claim does not hold, or None if it does. `figures` is the text of it whose numbers must be proved."""
        if not spans:
            return "quotation"
        fault = text_fault(texts, self.of(spans))
        return fault or (None if self._proves(figures, spans) else "number")

    def _proves(self, figures: str, spans: Sequence[Span]) -> bool:
        dressed = numbers.dressed(figures) - self._dressed
        if dressed and dressed.difference(*(source.dressed for source in self.of(spans))):
            return False
        demanded = numbers.demanded(figures, self._language)
        if not demanded:
            return True
        supplied = self._question.union(*(source.numbers for source in self.of(spans)))
        return all(keys & supplied for keys in demanded)

    def _located(self, name: str) -> Span | None:
        if name not in self._spans:
            quotation = self._quotations.get(name)
            self._spans[name] = locate(quotation, self.sources) if quotation else None
        return self._spans[name]


def text_fault(texts: Sequence[Text], sources: Sequence[Source]) -> Why | None:
    """Why these texts may not be published on these sources, or None. Lengths come first: they bound all other work."""
    if not all(text.is_fitting() for text in texts):
        return "length"
    if any(prose.names_alias(text.content) for text in texts):
        return "alias"
    found = frozenset[str]().union(*(links.found(text.content) for text in texts))
    return "link" if found and found.difference(*(source.links for source in sources)) else None
