"""What to write for a `type` that JSON Schema does not have: a format, or the type that another language calls so."""

from devportal.suggestions import suggest_name

_FORMATS = {
    "file": "binary",
    "binary": "binary",
    "byte": "byte",
    "date": "date",
    "datetime": "date-time",
    "date-time": "date-time",
    "timestamp": "date-time",
    "time": "time",
    "uuid": "uuid",
    "guid": "uuid",
    "email": "email",
    "uri": "uri",
    "url": "uri",
    "password": "password",
}
"""The formats of text that are taken for types."""
_NUMBER_FORMATS = {
    "int32": ("integer", "int32"),
    "int64": ("integer", "int64"),
    "long": ("integer", "int64"),
    "float": ("number", "float"),
    "double": ("number", "double"),
}
_OTHER_NAMES = {
    "text": "string",
    "str": "string",
    "char": "string",
    "enum": "string",
    "int": "integer",
    "bool": "boolean",
    "decimal": "number",
    "list": "array",
    "dict": "object",
    "map": "object",
    "hash": "object",
}


def type_name_advice(name: object, known: frozenset[str]) -> str:
    """Return what to write in place of a type that is none of the known ones."""
    wanted = str(name).casefold()
    if wanted in _FORMATS:
        return f"write 'type: string' and 'format: {_FORMATS[wanted]}'"
    if wanted in _NUMBER_FORMATS:
        type_name, format_name = _NUMBER_FORMATS[wanted]
        return f"write 'type: {type_name}' and 'format: {format_name}'"
    if wanted in _OTHER_NAMES:
        return f"write 'type: {_OTHER_NAMES[wanted]}'"
    if wanted in ("any", "mixed"):
        return "remove it: without a type, any value is allowed"
    return suggest_name(name, known, f"one of {', '.join(sorted(known))}")
