"""For those who use an API: what their code uses of it, and which changes of its releases touch that."""
