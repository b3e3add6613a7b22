"""Paths with placeholders in braces (OAS 3.0.3 §4.7.8.2): `/pets/{petId}`."""

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, unquote

from devportal.contract.conventions import OWN_IDENTIFIERS, matches_any_name
from devportal.contract.wording import name_words

_GENERAL_IDENTIFIERS = (*OWN_IDENTIFIERS, "code", "key", "slug", "name", "number")
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_ODATA_KEY = re.compile(r"(?P<collection>[^(){}]+)\((?:\w+=)?'?(?P<key>\{[^{}]+\})'?\)")
_SENT_ODATA_KEY = re.compile(r"[^()]+\((?:\w+=)?'?([^()']+)'?\)")


def placeholder_names(path: str) -> tuple[str, ...]:
    """Return the names in a path, in their order."""
    return tuple(_PLACEHOLDER.findall(path))


def sent_path(path: str) -> str:
    """Return a path as requests send it: from a slash on, without a fragment, which is not part of a request
    (RFC 9110 §7.1).
    """
    return f"/{path.removeprefix('/')}".partition("#")[0]


def encoded_path(path: str) -> str:
    """Return a path as URLs have it: with the characters percent-encoded that no path may have, and no others
    (RFC 3986 §2.3, §6.2.2). The braces of placeholders are left.
    """
    plain = _ENCODED.sub(lambda found: _decode_if_unreserved(found[0]), path)
    return quote(plain, safe=_SAFE_IN_PATHS, errors="surrogatepass")


def _decode_if_unreserved(code: str) -> str:
    character = unquote(code, errors="replace")
    return character if character.isascii() and quote(character, safe="") == character else code.upper()


_ENCODED = re.compile("%[0-9A-Fa-f]{2}")
_SAFE_IN_PATHS = "/%:@!$&'()*+,;=?#{}[]"
"""What stands in paths besides letters and digits: the delimiters of URLs, percent signs and braces."""


def without_names(path: str) -> str:
    """Return a path whose placeholders have no names: `/pets/{petId}` → `/pets/{}`."""
    return _PLACEHOLDER.sub("{}", path)


@lru_cache(maxsize=4096)
def path_pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the paths that a template stands for: a placeholder is a part of one segment."""
    return re.compile("[^/]+".join(map(_fixed_text_pattern, re.split(r"\{[^{}]*\}", template))))


@lru_cache(maxsize=4096)
def path_values_pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the paths that a template stands for, with a group for the value of each of its names."""
    return re.compile("([^/]+)".join(map(_fixed_text_pattern, _PLACEHOLDER.split(template)[::2])))


def _fixed_text_pattern(text: str) -> str:
    """Return the pattern of the text between placeholders. Clients percent-encode what no URL may have, and some
    encode more (RFC 3986 §2): `/bücher` is `/b%C3%BCcher` in a request.
    """
    encoded = ((character, quote(character, safe="/", errors="surrogatepass")) for character in text)
    return "".join(
        re.escape(character) if code == character else f"(?:{re.escape(character)}|(?i:{code}))"
        for character, code in encoded
    )


def fill_placeholders(template: str, values: Mapping[str, str]) -> str:
    """Return a path or an address with values at the placeholders of their names."""
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


def action_name(path: str) -> str:
    """Return the name of an action at the end of a path: `cancel` for `/orders/{id}/cancel` and for
    `/orders/{id}:cancel` (AIP-136).
    """
    segment = last_segment(path)
    return segment.rpartition("}:")[2]


def action_target(path: str) -> str:
    """Return the path of the resource that an action is about: `/orders/{id}` for `/orders/{id}/cancel` and for
    `/orders/{id}:cancel` (AIP-136); empty for a path that ends in a parameter.
    """
    segment = last_segment(path)
    if "}:" in segment:
        return path.rstrip("/").rpartition(":")[0]
    return "" if segment.startswith("{") else parent_path(path)


def last_segment(path: str) -> str:
    """Return the last segment of a path or an address. A slash at its end is not a segment: some frameworks end
    every path with one. The key of OData (4.01 URL Conventions §4.3.1) counts as a segment: `{id}` for
    `/Pets({id})`.
    """
    return _split_last_segment(path)[1]


def parent_path(path: str) -> str:
    """Return a path without its last segment and without a slash at its end: `/pets/{petId}/` → `/pets`, and
    `/Pets({petId})` → `/Pets`.
    """
    return _split_last_segment(path)[0]


@lru_cache(maxsize=4096)
def _split_last_segment(path: str) -> tuple[str, str]:
    parent, _, segment = path.rstrip("/").rpartition("/")
    key = _ODATA_KEY.fullmatch(segment)
    return (f"{parent}/{key['collection']}", key["key"]) if key else (parent, segment)


def address_segments(path: str) -> tuple[str, ...]:
    """Return the segments of the path of an address, with the key of OData as one more: `Pets(7)` and `7`."""
    segments = path.strip("/").split("/")
    keys = (_SENT_ODATA_KEY.fullmatch(segment) for segment in segments)
    return (*segments, *(key[1] for key in keys if key))


def value_at_end(template: str, address: str) -> str:
    """Return the value of the last placeholder of a template in the last segment of an address, as it is encoded:
    `7` for `/Pets({id})` and `/v4/Pets(7)`. The whole segment if it is not a value of the template.
    """
    segment = address.rstrip("/").rpartition("/")[2]
    found = path_values_pattern(template.rstrip("/").rpartition("/")[2]).fullmatch(segment)
    return found.groups()[-1] if found and found.groups() else segment


def reference_names(path: str) -> tuple[str, ...]:
    """Return the names of members that hold the identifier of a resource, by its path: that of the parameter, and
    for one that any type may have, that with the word for one of the collection before it: `author_id` for
    `/authors/{id}`, `plan_code` for `/plans/{code}`, and `promoCode` for `/promoCodes/{code}`.
    """
    parameter, collection = last_segment(path)[1:-1], last_segment(parent_path(path))
    if parameter.lower() not in _GENERAL_IDENTIFIERS or not collection or "{" in collection:
        return (parameter,)
    word = singular(collection)
    has_parameter = len(name_words(word)) > 1 and name_words(word)[-1] == parameter.lower()
    return (parameter, word if has_parameter else f"{word}_{parameter.lower()}")


def resource_paths(path: str) -> tuple[str, ...]:
    """Return the part of a path up to each of its parameters: `/users/{id}` of `/users/{id}/orders`."""
    ends = (f"{path}/".index("/", found.end()) for found in _PLACEHOLDER.finditer(path))
    return tuple(path[:end] for end in ends)


def names_resource(name: str, names: tuple[str, ...]) -> bool:
    """Return whether a member holds an identifier by its name: it is one of `names` (`reference_names`), or has the
    words of one at its end, after those for its role, as `debit_account_id` and `fromAccountId` have.
    """
    if matches_any_name(name, names):
        return True
    words = name_words(name)
    ends = (name_words(reference) for reference in names)
    return any(len(end) > 1 and end == words[-len(end) :] for end in ends)


_ENDINGS_OF_US = ("buses", "nuses", "puses", "ruses", "tuses")
"""The plurals of words such as bus, bonus, campus, virus and status; `uses` and `houses` have other ends."""


def singular(word: str) -> str:
    """Return the word for one of several, by its ending: `category` for `categories`, `status` for `statuses`."""
    if word.endswith("ies"):
        return f"{word.removesuffix('ies')}y"
    has_e = word.endswith(("ches", "shes", "sses", "xes", "zes", *_ENDINGS_OF_US))
    return word.removesuffix("es") if has_e else word if word.endswith("ss") else word.removesuffix("s")


def is_below(path: str, parent: str) -> bool:
    """Return whether a path has all segments of another one and more after them."""
    start = parent.rstrip("/")
    return path.rstrip("/").startswith((f"{start}/", f"{start}("))
