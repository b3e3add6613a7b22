"""Changes of resources: they have an effect, and no other effects."""
