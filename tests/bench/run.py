"""`make bench`: what the service costs, each figure beside its limit, from one run; in .build/bench.json too."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.local import local_aws
from harness.service import Service
from rich.console import Console
from rich.table import Table

from infra.deployment.functions import FUNCTIONS
from tests.bench import cold, limits, warm
from tests.bench.costs import per_thousand
from tests.bench.counting import Bench, counted
from tests.bench.units import Bill
from tests.bundle import built
from tests.bundle.run import bundle_sizes

WRITTEN = Path(__file__).parents[2] / ".build" / "bench.json"
WIDTH = 132
TEMPLATE = Path(__file__).parents[2] / "cdk.out"


def main(console: Console) -> int:
    """Measure all of it and print. The exit code: 1 if something is over its limit."""
    with local_aws() as aws:
        bills = counted(Service(aws, "counted"))
        bench = Bench(Service(aws, "warm"))
        calls, served = warm.measured(bench), warm.comparable(bench)
    sizes = bundle_sizes()
    if os.environ.get("RENEW"):
        limits.record(bills, sizes)
    starts = cold.measured()
    found = {
        "calls": {case: asdict(bill) for case, bill in bills.items()},
        "bundles": {name: asdict(size) for name, size in sizes.items()},
        "cold_ms": starts,
        "cold_ratio": cold.ratios(starts),
        "memory_mb": _memory(),
        "warm_ms": calls,
        "verification_ms": warm.verification(),
        "mcp_ms": served,
        "template_lines": _template_lines(),
        "per_thousand": per_thousand(bills),
    }
    for table in _tables(found, bills):
        console.print(table)
    over = _over(found, bills)
    for line in over:
        console.print(f"Over its limit: {line}", style="red")
    WRITTEN.parent.mkdir(exist_ok=True)
    WRITTEN.write_text(json.dumps(found, indent=1))
    console.print(f"Written to {WRITTEN}.")
    return 1 if over else 0


def _tables(found: Mapping[str, Any], bills: Mapping[str, Bill]) -> list[Table]:
    counts = Table(
        "case", "round trips", "limit", "SQS", "read units", "write units", "sent", "received", title="Calls"
    )
    for case, bill in bills.items():
        allowed = limits.trips(case)
        counts.add_row(
            case,
            str(bill.round_trips),
            str(allowed[0]) if allowed else "-",
            *(f"{number:,}" for number in (bill.queue, bill.reads, bill.writes, bill.sent, bill.received)),
        )
    start = Table("import of", "ms", "without byte code", "ratio", "limit", "MB", title="Cold, from the bundle")
    for name, times in found["cold_ms"].items():
        ratio = found["cold_ratio"].get(name)
        start.add_row(
            name,
            f"{times['compiled']:.0f}",
            f"{times['plain']:.0f}" if "plain" in times else "-",
            f"{ratio:.2f}" if ratio else "-",
            _cold_limit(name),
            f"{found['memory_mb'][name]:.0f}" if name in found["memory_mb"] else "-",
        )
    return [
        counts,
        start,
        _plain(
            "Warm, ms of processor time",
            found["warm_ms"],
            {name: f"{limit} of our own" for name, limit in WARM.items()},
        ),
        _plain("Verifying a maximal answer, ms", found["verification_ms"]),
        _plain("The same tools/call, ms of processor time", found["mcp_ms"]),
        _sizes(found),
        _plain("A thousand questions", found["per_thousand"]),
    ]


WARM = {"assistant_status": limits.STATUS_MS, "conversations_get, 40 messages": limits.GET_40_MS}


def _plain(title: str, figures: Mapping[str, float], allowed: Mapping[str, str] | None = None) -> Table:
    table = Table("what", "figure", "limit", title=title)
    for name, figure in figures.items():
        table.add_row(name, f"{figure:,.2f}", (allowed or {}).get(name, "-"))
    return table


def _sizes(found: Mapping[str, Any]) -> Table:
    before = limits.recorded()["bundles"]
    table = Table("bundle", "unpacked, kB", "zipped, kB", "recorded", title="For Lambda")
    for name, size in found["bundles"].items():
        table.add_row(name, f"{size['unzipped'] // 1000:,}", f"{size['zipped'] // 1000:,}", f"{before[name] // 1000:,}")
    table.add_row("template, lines", f"{found['template_lines']:,}", "-", "-")
    return table


def _cold_limit(name: str) -> str:
    """Only of those for which somebody waits."""
    waited_for = {function.name: function.layer for function in FUNCTIONS if function.routes}
    of = {"operations": limits.COLD_OPERATION, "mcp": limits.COLD_MCP}
    return str(of.get(waited_for.get(name, ""), "-"))


def _memory() -> dict[str, float]:
    """MB that a process holds at most which has imported the handler."""
    return {
        function.name: cold.memory(
            f"import {function.handler.rpartition('.')[0]}", (built.code(), built.layer(function.layer) / "python")
        )
        for function in FUNCTIONS
        if function.name in ("conversations_get", "mcp_endpoint", "generate", "sweep")
    }


def _template_lines() -> int:
    return sum(len(path.read_text().splitlines()) for path in TEMPLATE.glob("*.template.json"))


def _over(found: Mapping[str, Any], bills: Mapping[str, Bill]) -> list[str]:
    over = [
        f"{case}: {bill.round_trips} round trips, {bill.queue} calls to SQS"
        for case, bill in bills.items()
        if (allowed := limits.trips(case)) and (bill.round_trips, bill.queue) > allowed
    ]
    over += [
        f"import of {name}: {ratio:.2f}"
        for name, ratio in found["cold_ratio"].items()
        if _cold_limit(name) != "-" and ratio > float(_cold_limit(name))
    ]
    ours = {
        name: found["warm_ms"][name] - found["warm_ms"][f"{name.partition(',')[0]}, botocore alone"] for name in WARM
    }
    return over + [f"{name}: {ours[name]:.2f} ms of our own" for name in WARM if ours[name] > WARM[name]]


if __name__ == "__main__":
    sys.exit(main(Console(width=WIDTH)))
