"""The database: SQLite or PostgreSQL, its tables and migrations, encryption, and storage failures."""

KEY_VARIABLE = "DEVPORTAL_ENCRYPTION_KEY"
"""The environment variable that can hold the keys that webhook secrets are encrypted with."""
