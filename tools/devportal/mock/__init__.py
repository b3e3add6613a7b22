"""A mock of any contract, with memory: what is created can be read, listed, changed and deleted.

A pure core maps the state and a request to a response and changes of the state (`handlers`). HTTP, the clock,
randomness and the database file are at the rim (`application`, `command`, `store`).
"""
