"""Old addresses of the reference, and where they lead now."""
