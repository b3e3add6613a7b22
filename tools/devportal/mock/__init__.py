"""A mock of any contract, with memory: what is created can be read, listed, changed and deleted.

A pure core (`mock`) maps the state and a request to a response, changes of the state and what may be reported. It uses
`http` to read requests and write responses, `resources` for the types of a contract and their state, `operations` for
what each operation does, `lists` for filters and pages, and `events` for callbacks and webhooks. The server, the clock,
randomness and the database file are at the rim (`application`, `run`, `resources.store`).
"""
