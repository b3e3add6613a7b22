"""The reference of earlier releases."""
