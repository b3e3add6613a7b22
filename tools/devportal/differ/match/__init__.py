"""Which operations, parameters, media types, statuses and servers of two contracts are the same."""
