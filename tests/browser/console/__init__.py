"""Tests of the try-it console, against a sandbox and against a server that does all that is wrong."""
