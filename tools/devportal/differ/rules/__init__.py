"""The rules of the differ, one row and one function each, by the part of a contract that they look at."""
