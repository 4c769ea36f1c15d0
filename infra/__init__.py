"""Everything round the service: its deployment, the local stack and the command line."""
