"""The database: SQLite or PostgreSQL, its tables and migrations, encryption, and storage failures."""
