"""Lambda: POST /research-api/evidence/get."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("evidence_get", Wiring().calls())
