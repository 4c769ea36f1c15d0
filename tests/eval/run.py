"""`make eval`: judge every case and print, by topic, how far the verification kept its promise."""

import sys
from collections.abc import Sequence
from typing import get_args

from rich.console import Console
from rich.table import Table

from eval.case import Topic
from eval.cases import CASES
from eval.judging import Judgement, judge

_COLUMNS = ("cases", "citations", "precision", "wrongly withheld", "wrongly published", "prompt alone")


def main(console: Console) -> int:
    """Print the table, then what only the prompt guards, then what is wrong. The exit code: 1 if anything is."""
    judgements = [judge(case) for case in CASES]
    console.print(_table(judgements))
    console.print("\nPublished, because nothing but the instructions to the model guards against it:", style="bold")
    for one in judgements:
        for text in one.prompt_alone:
            console.print(f"  {text}   [{one.case.name}]", markup=False)
    wrong = [one for one in judgements if not one.is_right]
    for one in wrong:
        console.print(f"\n{one.case.topic}: {one.case.name}", style="bold red", markup=False)
        for line in _wrong(one):
            console.print(f"  {line}", markup=False)
    console.print(f"\n{len(judgements)} cases, {len(wrong)} of them not as they must be.")
    return 1 if wrong else 0


def _table(judgements: Sequence[Judgement]) -> Table:
    table = Table(
        "topic", caption="Precision: the share of published citations whose passage is the one that is meant."
    )
    for name in _COLUMNS:
        table.add_column(name, justify="right")
    for topic in get_args(Topic):
        table.add_row(topic, *_figures([one for one in judgements if one.case.topic == topic]))
    table.add_section()
    table.add_row("all", *_figures(judgements))
    return table


def _figures(judgements: Sequence[Judgement]) -> list[str]:
    published = sum(one.published_citations for one in judgements)
    true = sum(one.true_citations for one in judgements)
    return [
        str(len(judgements)),
        str(published),
        f"{true / published:.1%}" if published else "none",
        str(sum(len(one.wrongly_withheld) for one in judgements)),
        str(sum(len(one.wrongly_published) for one in judgements)),
        str(sum(len(one.prompt_alone) for one in judgements)),
    ]


def _wrong(one: Judgement) -> list[str]:
    withheld = [f"wrongly withheld: {' | '.join(item)}" for item in one.wrongly_withheld]
    published = [f"wrongly published: {' | '.join(item)}" for item in one.wrongly_published]
    return [*withheld, *published, *one.faults]


if __name__ == "__main__":
    sys.exit(main(Console(width=120, highlight=False)))
