"""API tokens: what they grant, from where, and the commands that issue them."""
