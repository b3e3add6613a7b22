"""Where the keywords of a value stand that several schemas describe together."""

from collections.abc import Iterator, Sequence

from devportal.contract import ABSENT, Location, Schema


def keyword_sources(parts: Sequence[Schema]) -> dict[str, Location]:
    """Return where each keyword stands that some part says; the last part that says it counts."""
    return {keyword: part.location for part in parts for keyword in _used_keywords(part)}


def _used_keywords(part: Schema) -> Iterator[str]:
    """Yield the keywords that a part is told by, those of one schema or list of them apart."""
    yield from (one.keyword for one in part.constraints)
    told = {
        "type": part.types,
        "format": part.format,
        "enum": part.enum or part.const is not ABSENT,
        "items": part.items,
        "prefixItems": part.prefix_items,
        "additionalProperties": part.additional_properties,
        "required": part.required,
        "properties": part.properties,
        "oneOf": part.one_of,
        "anyOf": part.any_of,
        "not": part.negated,
        "discriminator": part.discriminator,
        "content": part.content,
        "default": part.default is not ABSENT,
        "readOnly": part.read_only,
        "writeOnly": part.write_only,
        "x-extensible-enum": part.extensible_enum is not ABSENT,
        "nullable": part.nullable,
        "xml": part.xml,
    }
    yield from (keyword for keyword, value in told.items() if value)
    yield from (keyword for keyword, _ in part.others)
