"""A developer portal that cannot lie: pages from an OpenAPI contract, and the tools that prove them."""

__version__ = "0.2.0"
