"""Lists of resources: what they show, count, and in which order."""
