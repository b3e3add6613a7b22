"""The review of a contract in a pull request: one comment that is kept up to date, and a commit status."""
