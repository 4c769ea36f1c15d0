"""A stored value, a typed reference to where it is, and what a fetch of references brings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A stored value. Instants are datetimes here and epoch milliseconds in storage."""

    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


T = TypeVar("T", bound=Record)


@dataclass(frozen=True, slots=True)
class Ref(Generic[T]):
    """Where one record is: its kind and the ids that name it."""

    kind: type[T]
    ids: tuple[str, ...]


class Found(Mapping[Ref[Any], Any]):
    """What a fetch brought: a record for each reference that exists; the rest read None."""

    def __init__(self, records: Mapping[Ref[Any], Any] | None = None) -> None:
        self._records = dict(records or {})

    def __getitem__(self, ref: Ref[T]) -> T | None:
        return self._records.get(ref)

    def __iter__(self) -> Iterator[Ref[Any]]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __or__(self, newer: "Found") -> "Found":
        return Found({**self._records, **newer._records})
