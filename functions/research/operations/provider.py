"""What a generation needs of a language model: one call, and for every way it can end a value or a named failure."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from research.rules.prompt import Prompt
from research.words.contract import FailureCode


@dataclass(frozen=True, slots=True)
class Reply:
    """What was generated, not yet verified. `tokens` counts the whole call: prompt, thinking and text."""

    text: str
    model_version: str | None
    tokens: int


@dataclass(slots=True, eq=False)
class Unusable(Exception):
    """The model answered, and not with one finished text. It is paid for and must not be asked again.

    `reason` is one of our own words, never the provider's.
    """

    tokens: int
    model_version: str | None
    reason: str
    code: ClassVar[FailureCode] = "invalid_output"


@dataclass(slots=True, eq=False)
class NotGenerated(Exception):
    """Proof that nothing was generated.

    `retryable` says that the same call may succeed later; `retry_after` is how many seconds to wait at least, where the
    provider said so.
    """

    code: FailureCode
    retryable: bool = False
    retry_after: float | None = None


@dataclass(slots=True, eq=False)
class Unconfirmed(Exception):
    """The request left and no usable word came back: something may have been generated and charged."""

    code: ClassVar[FailureCode] = "generation_unconfirmed"


class Provider(Protocol):
    """A language model that answers a prompt in the wire's JSON."""

    @property
    def model_id(self) -> str:
        """The model asked for."""
        ...

    def generate(self, prompt: Prompt, deadline: float) -> Reply:
        """Answer, within `deadline` seconds of wall clock and with at most one generation.

        Raises `Unusable`, `NotGenerated` or `Unconfirmed`, and nothing else.
        """
        ...
