"""The cases, by topic."""

from eval.case import Case
from eval.cases import altered, bounds, forms, injected, kinds, languages, numbers, prompt_alone, prose, verbatim

CASES: tuple[Case, ...] = (
    *verbatim.CASES,
    *altered.CASES,
    *numbers.CASES,
    *prose.CASES,
    *kinds.CASES,
    *bounds.CASES,
    *forms.CASES,
    *languages.CASES,
    *injected.CASES,
    *prompt_alone.CASES,
)
