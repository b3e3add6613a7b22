"""What the name of a media type says about its bodies."""


def is_json(name: str) -> bool:
    """Say whether bodies of a media type are one JSON text each (RFC 6839 §3.1).

    Formats of several texts, such as `application/jsonl` and `application/json-seq`, are not.
    """
    kind = name.partition(";")[0].strip().lower()
    return kind.endswith(("/json", "+json"))
