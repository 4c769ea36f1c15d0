"""One file per Lambda function: built once, then one call."""
