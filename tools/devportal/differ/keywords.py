"""Which type the keywords of a schema are about: beside any other they say nothing."""

TYPE_OF_KEYWORD = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), "string"),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems", "minContains", "maxContains"), "array"),
    **dict.fromkeys(("minProperties", "maxProperties", "dependentRequired"), "object"),
}
"""JSON Schema 2020-12, Validation §6.2 to §6.5."""
