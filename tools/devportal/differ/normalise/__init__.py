"""Schemas in normal form: references followed, `allOf` merged, equal values spelled alike."""
