"""Parameters that choose the members of a response."""

CHOICE_NAMES = (
    "fields", "field", "select", "$select", "include_fields", "only", "only_fields", "fields_to_return",
)  # fmt: skip
"""What they are called, without that of a type: JSON:API 1.1 §6.3, OData 4.01 §5.1.4, Google's `fields`."""
