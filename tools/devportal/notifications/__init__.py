"""Notifications after a release: subscribers learn of each change once, by email, chat or webhook."""
