"""What the name of a media type says about its bodies."""


def media_type_essence(media_type: str) -> str:
    """Return a media type without its parameters, in lower case (WHATWG MIME Sniffing §4)."""
    return media_type.partition(";")[0].strip().lower()


def is_json(name: str) -> bool:
    """Say whether bodies of a media type are one JSON text each (RFC 6839 §3.1).

    Formats of several texts, such as `application/jsonl` and `application/json-seq`, are not.
    """
    return media_type_essence(name).endswith(("/json", "+json"))
