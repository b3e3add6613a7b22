"""Regular expressions as the sets of texts in which they are found, and how two of them are related."""
