"""The deployment under test: HTTP, TLS, credentials, and exchanges with secrets masked."""
