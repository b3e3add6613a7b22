"""API tokens: their grants and allowed addresses, and the commands that issue them."""
