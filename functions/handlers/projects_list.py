"""Lambda: POST /research-api/projects/list."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("projects_list", Wiring().calls())
