"""The service on one machine: what AWS and Gemini do, done here."""
