"""Evidence as an importer hands it over."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

MAX_TEXT = 20_000


class Source(BaseModel):
    """One source text with its origin. `id` is the importer's own name for it: the same id is the same evidence."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    id: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    title: Annotated[str, Field(max_length=300)] | None = None
    url: Annotated[str, Field(max_length=2000)] | None = None
    author: Annotated[str, Field(max_length=200)] | None = None
    published_at: Annotated[str, Field(max_length=40)] | None = None
    language: Annotated[str, Field(max_length=35)] | None = None
