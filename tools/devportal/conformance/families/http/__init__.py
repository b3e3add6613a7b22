"""HTTP itself: methods, media types, ranges, and conditional requests."""
