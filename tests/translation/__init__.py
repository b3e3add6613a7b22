"""Tests of messages in other languages, and of the catalogues that have them."""
