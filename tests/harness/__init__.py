"""What the tests stand on: the real service on local AWS, its time and its language model in the test's hands."""
