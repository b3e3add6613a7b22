"""The database: SQLite or PostgreSQL, its tables and migrations, encryption, and failures of storage."""
