"""Values of requests: valid ones are accepted, and invalid ones are rejected."""
