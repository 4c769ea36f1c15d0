"""Reading: records by reference, and lists page by page."""

from collections.abc import Sequence
from typing import Any

from research.adapters.store import items
from research.adapters.store.calls import Calls
from research.operations.ports import Listing, Page
from research.words import resources
from research.words.records import Found, Record, Ref


def fetch(calls: Calls, refs: Sequence[Ref[Any]]) -> Found:
    """What exists of these, read consistently."""
    keys = {ref: items.key(ref) for ref in refs}
    names = {tuple(part["S"] for part in key.values()): ref for ref, key in keys.items()}
    found: dict[Ref[Any], Record] = {}
    for stored in calls.get(list(keys.values())):
        ref = names[stored[resources.PARTITION_KEY]["S"], stored[resources.SORT_KEY]["S"]]
        found[ref] = items.record(ref.kind, stored)
    return Found(found)


def page(calls: Calls, listing: Listing[Any], after: str | None, limit: int) -> Page[Any]:
    """At most `limit` records of a list behind the place `after`, and the place of the last if there may be more."""
    partition, prefix = items.listing(listing.kind, listing.names)
    stored, more = calls.query(partition, prefix, after, limit, newest_first=listing.newest_first)
    found = []
    for item in stored:
        place = item[resources.SORT_KEY]["S"].removeprefix(prefix)
        found.append((Ref(listing.kind, (*listing.names, place)), items.record(listing.kind, item)))
    return Page(found, found[-1][0].ids[-1] if found and more else None)
