"""The resources of the API as rows of the database: messages, calls, registrations, numbers, rate versions."""
