"""Lambda: POST /research-api/evidence/list."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("evidence_list", Wiring().calls())
