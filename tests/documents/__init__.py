"""Tests of documents: what YAML and JSON become, what is refused, and where it stands."""
