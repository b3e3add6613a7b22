"""The review of rates and coverage from the command line."""
