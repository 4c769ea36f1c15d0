"""What may not be exceeded, and what was recorded last: `make bench RENEW=1` renews it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infra.bundles import Size
from tests.bench.units import Bill

RECORDED = Path(__file__).with_name("recorded.json")
READ_TRIPS = 2
REQUEST_TRIPS, REQUEST_SENDS = 3, 1
READS = ("conversations_get", "conversations_list", "assistant_status", "citations_get", "projects_list")
READS += ("evidence_list", "evidence_get", "conversations_create", "assistant_request again")
REQUESTS = ("assistant_request", "sentiment_request")
COLD_OPERATION, COLD_MCP = 1.25, 1.15
"""Import of a handler, as a multiple of what it stands on."""
STATUS_MS, GET_40_MS = 2.0, 15.0
"""Of processor time in our own code."""
ROOM = 1.1
"""What units and bundles may grow by before a test fails."""


def trips(case: str) -> tuple[int, int] | None:
    """DynamoDB round trips and SQS calls that a case may make; None where no number is set."""
    name = case.partition(",")[0]
    if name in READS:
        return READ_TRIPS, 0
    return (REQUEST_TRIPS, REQUEST_SENDS) if name in REQUESTS else None


def recorded() -> Any:
    return json.loads(RECORDED.read_text())


def record(bills: Mapping[str, Bill], sizes: Mapping[str, Size]) -> None:
    calls = {
        case: {"round_trips": bill.round_trips, "sqs": bill.queue, "reads": bill.reads, "writes": bill.writes}
        for case, bill in bills.items()
    }
    document = {"calls": calls, "bundles": {name: found.unzipped for name, found in sizes.items()}}
    RECORDED.write_text(json.dumps(document, indent=1) + "\n")
