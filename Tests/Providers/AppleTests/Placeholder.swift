// Replaced by tests.
