"""The vocabulary: the public contract, the records that are kept, problems, ids and the clock."""
