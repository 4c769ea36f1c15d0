"""What is counted of the functions' JSON log lines, as plain data: how runs end, and what nobody should have to see."""

from collections.abc import Mapping
from dataclasses import dataclass

from infra.deployment.functions import DEAD_LETTERS, GENERATE, SWEEP, Function


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric that counts the log lines of `functions` on which each field has one of its values."""

    name: str
    functions: tuple[Function, ...]
    fields: Mapping[str, tuple[str | bool, ...]]

    @property
    def pattern(self) -> str:
        """The filter pattern of CloudWatch Logs."""
        terms = (" || ".join(_term(field, value) for value in values) for field, values in self.fields.items())
        return f"{{ {' && '.join(f'({term})' for term in terms)} }}"


def _term(field: str, value: str | bool) -> str:  # noqa: FBT001 (a value of JSON)
    return f"$.{field} IS {str(value).upper()}" if isinstance(value, bool) else f'$.{field} = "{value}"'


_WHO_ENDS_RUNS = (GENERATE, SWEEP, DEAD_LETTERS)
_RUN = ("run",)
_FAILED = {"message": _RUN, "status": ("failed",)}

COMPLETED = Measure("RunsCompleted", (GENERATE,), {"message": _RUN, "status": ("completed",)})
FAILED = Measure("RunsFailed", _WHO_ENDS_RUNS, _FAILED)
UNCONFIRMED = Measure("RunsUnconfirmed", _WHO_ENDS_RUNS, {**_FAILED, "failure_code": ("generation_unconfirmed",)})
REFUSED = Measure(
    "RunsRefusedByGemini", _WHO_ENDS_RUNS, {**_FAILED, "failure_code": ("provider_unavailable", "not_configured")}
)
UNFINISHED = Measure("SweepsUnfinished", (SWEEP,), {"message": ("sweep",), "finished": (False,)})
UNREADABLE = Measure("MessagesUnreadable", (GENERATE, DEAD_LETTERS), {"message": ("unreadable message",)})
MEASURES = (COMPLETED, FAILED, UNCONFIRMED, REFUSED, UNFINISHED, UNREADABLE)
