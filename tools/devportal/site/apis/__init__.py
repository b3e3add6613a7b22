"""The pages of a portal of several APIs that are about all of them, and the way from one API to another."""
