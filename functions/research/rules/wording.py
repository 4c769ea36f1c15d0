"""What the service says itself, as a form that each language fills in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Item = Literal["findings", "suggestions", "citations", "labels", "limitations", "excluded_terms"]
Why = Literal["quotation", "number", "link", "alias", "length", "count", "source", "label"]


@dataclass(frozen=True, slots=True)
class Wording:
    """The sentences of one language. Counts stand in brackets, so that no noun has to agree with them."""

    no_answer: str
    no_limitation: str
    no_label: str
    disclosure: str
    items: Mapping[Item, str]
    reasons: Mapping[Why, str]
    comma: str = ", "
    semicolon: str = "; "
    counted: str = "{what} ({number})"

    def withheld(self, items: Mapping[Item, int], reasons: Mapping[Why, int]) -> str:
        """The one limitation that says how much was withheld of each sort of item, and why."""
        return self.disclosure.format(
            items=self.comma.join(self._counted(self.items[item], number) for item, number in items.items()),
            reasons=self.semicolon.join(self._counted(self.reasons[why], number) for why, number in reasons.items()),
        )

    def _counted(self, what: str, number: int) -> str:
        return self.counted.format(what=what, number=number)
