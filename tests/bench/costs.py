"""What a thousand questions cost on AWS: counted units at list prices. Gemini's tokens come on top."""

from collections.abc import Mapping

from tests.bench.units import Bill

PRICES = {"read units": 0.125, "write units": 0.625, "SQS requests": 0.40, "API requests": 1.00, "invocations": 0.20}
"""US dollars per million; us-east-1, on demand, as known on 2026-12-01."""
GB_SECOND = 0.0000133334
"""arm64."""

QUESTION = (
    "conversations_create, 1 evidence",
    "assistant_request, 0 messages, 1 evidence",
    "generate, 0 messages, 1 evidence",
    "citations_get, 2 messages, 1 evidence",
    "conversations_get, 2 messages, 1 evidence",
    "sweep, a conversation's end",
)
STATUS = "assistant_status, 2 messages, 1 evidence"
POLLS = 5
API_SECONDS, GENERATE_SECONDS = 0.03, 15.0
"""Assumed: of an API call, and of a worker waiting for Gemini, at 1 GB."""


def per_thousand(bills: Mapping[str, Bill]) -> dict[str, float]:
    """Units and dollars of a thousand questions, each with a conversation on one text, five polls and its citations."""
    question = [bills[case] for case in QUESTION] + [bills[STATUS]] * POLLS
    calls = 4 + POLLS
    units = {
        "read units": sum(bill.reads for bill in question) * 1000.0,
        "write units": sum(bill.writes for bill in question) * 1000.0,
        "SQS requests": 4 * 1000.0,
        "API requests": calls * 1000.0,
        "invocations": (calls + 1) * 1000.0,
    }
    dollars = {f"$ for {name}": count * PRICES[name] / 10**6 for name, count in units.items()}
    dollars["$ for waiting for Gemini and computing"] = 1000 * (calls * API_SECONDS + GENERATE_SECONDS) * GB_SECOND
    return {**units, **dollars, "$ in all": sum(dollars.values())}
