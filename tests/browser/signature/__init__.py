"""The calculator of segments, in its guide."""
