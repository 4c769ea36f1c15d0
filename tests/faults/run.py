"""`make faults`: every step under every fault, five hundred random lives, a thousand runs under a killed worker."""

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.local import local_aws
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import HypothesisException
from hypothesis.stateful import run_state_machine_as_test
from rich.console import Console
from rich.table import Table

from tests.faults import boundaries, killing
from tests.faults.boundaries import Result, Schedule
from tests.faults.circumstances import CIRCUMSTANCES
from tests.faults.life import Life

PROCESSES = 2
WRITTEN = Path(__file__).parents[2] / ".build" / "faults.json"


def interrupted(part: int) -> list[tuple[Schedule, Result]]:
    """One process's part of all schedules."""
    with local_aws() as aws:
        return [
            (schedule, boundaries.run(aws, schedule)) for schedule in list(boundaries.schedules(aws))[part::PROCESSES]
        ]


def lived(part: int, lives: int, steps: int) -> dict[str, Any]:
    """Random lives; `broken` is the first that broke a promise, shrunk by nobody: the seed brings it back."""
    with local_aws() as aws:
        Life.aws = aws
        chosen = settings(
            max_examples=lives,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            print_blob=False,
        )
        number = time.time_ns() % 10**9 + part
        broken = ""
        try:
            run_state_machine_as_test(seed(number)(Life), settings=chosen)
        except (AssertionError, HypothesisException, Exception) as error:  # noqa: BLE001 (whatever it is, it is reported)
            broken = f"seed {number}: {type(error).__name__}: {error}"
        return {"lives": Life.lives, "steps": Life.steps, "generations": Life.generations, "broken": broken}


def main(console: Console, lives: int, steps: int, runs: int) -> int:
    """Run all of it and print what came of it. The exit code: 1 if a promise was broken."""
    began = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        console.print("Every step under every fault …")
        results = [pair for part in pool.map(interrupted, range(PROCESSES)) for pair in part]
        console.print(f"{len(results)} schedules in {time.monotonic() - began:.0f} s. Random lives …")
        each = -(-lives // PROCESSES)
        random = pool.starmap(lived, [(part, each, steps) for part in range(PROCESSES)])
    console.print(f"{time.monotonic() - began:.0f} s. In each circumstance …")
    with local_aws() as aws:
        named = {name: boundaries.lived_through(aws, act) for name, act in CIRCUMSTANCES.items()}
    console.print(f"{time.monotonic() - began:.0f} s. {runs} runs under a worker that is killed again and again …")
    killed = killing.thousand(runs)
    console.print(_pairs(results))
    console.print(_circumstances(named))
    everything = [result for _, result in results] + list(named.values())
    summary = _summary(everything, random, killed)
    console.print(_promises(summary))
    for wrong in _wrong(results, named, random, killed):
        console.print(wrong, style="red", markup=False)
    _write(results, named, random, killed, summary)
    console.print(f"{time.monotonic() - began:.0f} s; written to {WRITTEN}.")
    return 1 if any(_wrong(results, named, random, killed)) else 0


def _pairs(results: list[tuple[Schedule, Result]]) -> Table:
    """How often each pair of step and fault ended how."""
    faults = [*boundaries.FAULTS, *boundaries.DEATHS]
    ends: dict[tuple[str, str], Counter[str]] = {}
    for schedule, result in results:
        told = result.outcome if result.is_right else "BROKEN"
        ends.setdefault((schedule.step, schedule.fault), Counter())[told] += 1
    table = Table("step", "fault", "calls", "how its runs ended", title="Every step under every fault")
    for step in {schedule.step: None for schedule, _ in results}:
        for fault in faults:
            if found := ends.get((step, fault)):
                told = ", ".join(f"{count} {end}" if len(found) > 1 else end for end, count in found.most_common())
                table.add_row(step, fault, str(sum(found.values())), told)
    return table


def _circumstances(named: Mapping[str, Result]) -> Table:
    table = Table("circumstance", "how its runs ended", title="Circumstances")
    for name, result in named.items():
        table.add_row(name, result.outcome if result.is_right else "BROKEN")
    return table


def _summary(results: list[Result], random: list[dict[str, Any]], killed: dict[str, Any]) -> dict[str, int]:
    broken = Counter(promise for result in results for promise in result.broken)
    return {
        "schedules run": len(results) + sum(part["lives"] for part in random),
        "steps of random lives": sum(part["steps"] for part in random),
        "runs under a killed worker": killed["runs"],
        "kills": killed["kills"],
        "provider calls per run, at most": max(killed["most_calls"], *(result.most_generations for result in results)),
        "runs left open after the sweep": broken["left open"] + killed["open"],
        "valid answers lost though the write could be retried": sum(one.lost_for_want_of_retry for one in results),
        "revisions skipped or repeated": broken["revisions"],
        "content found past 24 h": sum(result.past_the_day for result in results),
        "budget counted wrongly": broken["budget"],
        "promises broken in random lives": sum(bool(part["broken"]) for part in random),
    }


def _promises(summary: Mapping[str, int]) -> Table:
    table = Table("promise", "found", title="Summary")
    for name, number in summary.items():
        table.add_row(name, f"{number:,}")
    return table


def _wrong(
    results: list[tuple[Schedule, Result]],
    named: Mapping[str, Result],
    random: list[dict[str, Any]],
    killed: Mapping[str, Any],
) -> list[str]:
    wrong = [f"{schedule}: {result}" for schedule, result in results if not result.is_right]
    wrong += [f"{name}: {result}" for name, result in named.items() if not result.is_right]
    wrong += [part["broken"] for part in random if part["broken"]]
    return wrong + ([f"killed workers: {killed}"] if killed["open"] or killed["most_calls"] > 1 else [])


def _write(results: Any, named: Any, random: Any, killed: Any, summary: Any) -> None:
    document = {
        "summary": summary,
        "schedules": [{**asdict(schedule), **asdict(result)} for schedule, result in results],
        "circumstances": {name: asdict(result) for name, result in named.items()},
        "lives": random,
        "killed": killed,
    }
    WRITTEN.parent.mkdir(exist_ok=True)
    WRITTEN.write_text(json.dumps(document, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lives", type=int, default=500)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--runs", type=int, default=1000)
    given = parser.parse_args()
    sys.exit(main(Console(), given.lives, given.steps, given.runs))
