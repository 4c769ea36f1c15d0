"""Lambda: POST /research-api/citations/get."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("citations_get", Wiring().calls())
