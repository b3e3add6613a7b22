"""What the API is about, as rows of the database: messages, calls, registrations, numbers, rate versions."""
