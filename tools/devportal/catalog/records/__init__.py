"""Records as files hold them: terms, parsing, checks."""
