"""How the events of a contract are received, found without settings.

`discovery` puts together what the others find: `causes` the triggers, `subscription` the registration of a
receiver, `deliveries` the places of types and identifiers and the log.
"""
