"""The outside world: DynamoDB, SQS and Gemini, each named in one place only."""
