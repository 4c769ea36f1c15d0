"""The public contract as code uses it: arguments in, results out, bounds exactly those of the JSON files.

The JSON files beside these modules are what discovery publishes. tests/contract holds both to the same verdict on every
value. Stricter than the schemas in one thing: the same evidence twice in one context is refused.
"""

from research.words.contract.arguments import *  # noqa: F403 (one vocabulary, in five files for their length alone)
from research.words.contract.lists import *  # noqa: F403
from research.words.contract.models import *  # noqa: F403
from research.words.contract.results import *  # noqa: F403
from research.words.contract.types import *  # noqa: F403
