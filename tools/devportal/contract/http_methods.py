"""The methods that OpenAPI has fields for."""

PATH_ITEM_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The fixed methods of a path item (OAS 3.0.3 §4.7.9.1; `query` since 3.2)."""
