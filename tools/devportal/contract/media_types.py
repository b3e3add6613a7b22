"""What the name of a media type says about its bodies."""

from devportal.contract.model import MediaType

JSON_RANGES = ("*/*", "application/*")
JSON_PATCH = "application/json-patch+json"
"""A list of changes to a JSON document (RFC 6902)."""


BINARY = ("application/octet-stream", "application/pdf", "application/zip", "image/", "audio/", "video/")
"""How the names of media types begin whose bodies are bytes."""


def media_type_essence(media_type: str) -> str:
    """Return a media type without its parameters, in lower case (WHATWG MIME Sniffing §4)."""
    return media_type.partition(";")[0].strip().lower()


def is_json(name: str) -> bool:
    """Say whether bodies of a media type are one JSON text each (RFC 6839 §3.1).

    Formats of several texts, such as `application/jsonl` and `application/json-seq`, are not.
    """
    return media_type_essence(name).endswith(("/json", "+json"))


def is_xml(name: str) -> bool:
    """Say whether a media type is XML (RFC 7303 §4.2)."""
    return media_type_essence(name).endswith(("/xml", "+xml"))


def is_yaml(name: str) -> bool:
    """Say whether a media type is YAML, by its name (RFC 9512 §2.1) or one from before it had one."""
    essence = media_type_essence(name)
    return essence.endswith(("/yaml", "/x-yaml", "/vnd.yaml", "+yaml"))


def may_hold_json(name: str) -> bool:
    """Say whether a list or an object can be written as JSON in a media type.

    It cannot if the type names another format, such as a table, a page, a picture or a form. `text/plain` says
    nothing, and frameworks document it for JSON. Nor do ranges and types of vendors say it.
    """
    essence = media_type_essence(name)
    if is_json(name) or is_yaml(name):
        return True
    if essence.startswith("text/"):
        return essence in ("text/plain", "text/*")
    return essence not in _OTHER_FORMATS and not essence.startswith(("image/", "audio/", "video/", "font/"))


_OTHER_FORMATS = frozenset(
    {
        "application/csv",
        "application/gzip",
        "application/javascript",
        "application/octet-stream",
        "application/pdf",
        "application/x-www-form-urlencoded",
        "application/zip",
    }
)


def json_media_type(content: tuple[MediaType, ...]) -> MediaType | None:
    """Return the first media type that is JSON, None if there is none."""
    return next((media_type for media_type in content if is_json(media_type.name)), None)


def json_response_type(content: tuple[MediaType, ...]) -> MediaType | None:
    """Return the media type of JSON in a response: one that is JSON, else a range that includes it, as some
    frameworks document all their responses; None if there is none.
    """
    ranges = (media_type for media_type in content if media_type_essence(media_type.name) in JSON_RANGES)
    return json_media_type(content) or next(ranges, None)


def documented_media_type(content: tuple[MediaType, ...], given: str) -> MediaType | None:
    """Return what a contract documents for a media type: it exactly, else `type/*`, else `*/*`; None without."""
    essence = media_type_essence(given)
    names = {media_type_essence(media_type.name): media_type for media_type in content}
    for key in (essence, f"{essence.partition('/')[0]}/*", "*/*"):
        if essence and key in names:
            return names[key]
    return None
