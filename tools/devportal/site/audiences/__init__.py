"""The sites of audiences: a search of each for what only other audiences may see."""
