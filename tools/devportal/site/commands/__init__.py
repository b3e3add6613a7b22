"""Commands that read or make a whole site: build, check, serve."""
