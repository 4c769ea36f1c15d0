"""Lambda: POST /research-api/sources/import."""

from research.edges.rest import Endpoint
from research.wiring import Wiring

handler = Endpoint("sources_import", Wiring().calls())
