"""The migrations, in the order of their numbers. None is changed once a database may have it."""
