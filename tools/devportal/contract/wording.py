"""Values as messages quote them, the words that a name is made of, and the sentences of a description."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

_NEITHER_LETTER_NOR_DIGIT = re.compile(r"[\W_]+")
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)|\n\s*\n|\n\s*[-*] ")
OR_PATTERN = r"(?:,\s*(?:n?or\s+)?|\s+n?or\s+)"
"""What stands between alternatives in a sentence, as a part of a pattern."""
_MAX_LENGTH = 60
"""How much of a value is quoted, in code points."""
_MAX_REFERENCE_LENGTH = 180
END_OF_TEXT = "if it belongs to the text before it, put that text in quotes; else remove it"
"""What to do about a field without a value: in YAML, `{description: Upload, develop}` has a field `develop`."""


def quote_value(value: Any, longest: int = _MAX_LENGTH) -> str:
    """Return a value as a message shows it, shortened if it is longer than this many code points."""
    return truncate_text(_format_literal(value), longest)


def quote_reference(reference: str) -> str:
    """Return a reference or a path as a message shows it: more of it than of other values, since its end says most."""
    return truncate_text(repr(reference), _MAX_REFERENCE_LENGTH)


def _format_literal(value: Any) -> str:
    """Return a value as contracts write it: `null` and `true`, where Python says `None` and `True`."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_format_literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{key!r}: {_format_literal(member)}' for key, member in value.items())}}}"
    return repr(value)


def truncate_text(text: str, longest: int = _MAX_LENGTH) -> str:
    """Return text that fits a message: on one line, and no longer than this many code points."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def join_names(names: Sequence[str], most: int = 3) -> str:
    """Return names in quotation marks as a sentence lists them: the first ones, and how many more."""
    quoted = [*map(quote_value, names[:most])]
    more = len(names) - most
    *first, last = [*quoted, f"{more:,} more"] if more > 0 else quoted
    return f"{', '.join(first)} and {last}" if first else last


_WORD_BOUNDARY = re.compile(r"([a-z0-9])(?=[A-Z])|(?!OAuth)([A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
"""The last letter of a word before another in camel case. `OAuth` and plurals such as `IDs` are one word."""


def split_camel_case(name: str, glue: str) -> str:
    """Return a name with `glue` between words in camel case: `getPDFInvoice` → `get-PDF-Invoice`."""
    return name if name.islower() else _WORD_BOUNDARY.sub(rf"\g<0>{glue}", name)


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, in lower case: `orderCreated`, `order.created` and `order_created` have
    the same.
    """
    return tuple(filter(None, re.split(r"[\W_]+", split_camel_case(name, " ").lower())))


def normalise_name(name: str) -> str:
    """Return a name as anchors are compared: letters and digits in lower case. Names without any are all
    equal.
    """
    return re.sub(r"[\W_]+", "", name).casefold()


def natural_order(name: str) -> tuple[tuple[int, str], ...]:
    """Return the key that sorts names as people do, whatever their case: `Error2` before `Error10`."""
    parts = _DIGITS.split(name.lower())
    numbers = (part.lstrip("0") if at % 2 else part for at, part in enumerate(parts))
    return tuple((len(part) if at % 2 else 0, part) for at, part in enumerate(numbers))


_DIGITS = re.compile(r"([0-9]+)")


def title_from_id(operation_id: str) -> str:
    """Return words from an operationId: `createOrder` → `Create order`, `issues/lock` → `Issues lock`.

    Capitals do not emphasise there: `DELETE_NoteText` → `Delete note text`, `LIST_USERS` → `List users`.
    """
    spelled = operation_id.lower() if operation_id.isupper() and "_" in operation_id else operation_id
    words = [*filter(None, re.split(r"[\W_]+", split_camel_case(spelled, " ")))]
    text = title_words(word.lower() if word in _SHOUTED_VERBS else word for word in words)
    return text[:1].upper() + text[1:]


_SHOUTED_VERBS = frozenset({"CREATE", "DELETE", "GET", "LIST", "PATCH", "POST", "PUT", "READ", "UPDATE"})
"""Verbs that ids write in capitals, most of them methods of HTTP."""


def title_words(words: Iterable[str]) -> str:
    """Return words as the middle of a title has them: in lower case, except abbreviations and names."""
    spelled = " ".join(
        word if has_own_capitals(word) and not _VERSION.fullmatch(word) else spell_word(word.lower())
        for word in words
    )
    return _PHRASAL_NOUN.sub(r"\1-\2", spelled)


_VERSION = re.compile(r"V\d+(?:[Aa]lpha\d*|[Bb]eta\d*)?")
_PHRASAL_NOUN = re.compile(
    r"\b(add|back|buy|call|cash|check|clock|follow|log|mark|opt|pay|plug|pop|set|sign|time|top|trade|write)"
    r" (ups|ins|outs|offs|ons)\b"
)
"""A noun made of a verb and a particle: `top-ups`, `add-ons`. In the plural it is not a verb."""


def spell_word(word: str) -> str:
    """Return a word in lower case as titles spell it, such as `URLs` and `OAuth`."""
    if word in _SPELLINGS:
        return _SPELLINGS[word]
    singular = word.removesuffix("s")
    if singular in _ABBREVIATIONS:
        return f"{singular.upper()}{word[len(singular) :]}"
    return word.upper() if _CONSONANTS.fullmatch(word) and word not in _SHORT_FORMS else word


_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xz]{1,3}[b-df-hj-np-rtv-xz]")
"""What nobody can speak as a word is spelled out: `ml`, `vm`. With an `s` at its end it may be several."""
_SHORT_FORMS = frozenset(
    {"bg", "btn", "cfg", "cm", "cmd", "cnt", "ctrl", "dr", "dst", "fn", "ft", "grp", "hr", "img", "kg", "km", "lb",
     "lng", "lst", "mgmt", "mgr", "mm", "mr", "msg", "mt", "nd", "nth", "pct", "pkg", "pm", "prj", "pwd", "px", "qty",
     "rd", "src", "srv", "st", "std", "str", "svc", "th", "tmp", "txn", "txt", "wk", "wt", "yr"}
)  # fmt: skip
"""Words without their vowels."""

_ABBREVIATIONS = frozenset(
    {"api", "cidr", "cpu", "crm", "csv", "fcm", "gpu", "html", "http", "iam", "iban", "icmp", "id",
     "ip", "json", "jwt", "kyc", "llm", "mfa", "oidc", "otp", "pdf", "ptr", "qr", "rbac",
     "rfc", "saml", "sdk", "sdp", "sepa", "sftp", "sip", "sku", "sla", "smtp",
     "sql", "ssh", "ssl", "sso", "tcp", "totp", "ttl", "udp", "ui", "uri", "url", "usb", "uuid", "vat",
     "vpc", "vpn", "xml", "yaml"}
)  # fmt: skip
"""Abbreviations that are not words otherwise; one of several has an `s` at its end."""
_SPELLINGS = {
    "github": "GitHub", "gitlab": "GitLab", "graphql": "GraphQL", "ios": "iOS", "ipv4": "IPv4",
    "ipv6": "IPv6", "oauth": "OAuth", "oauth2": "OAuth2", "openid": "OpenID", "paypal": "PayPal",
    "whatsapp": "WhatsApp", "https": "HTTPS", "dns": "DNS",
    "css": "CSS", "rss": "RSS", "tls": "TLS",
}  # fmt: skip
"""Names, and abbreviations that end in `s`."""


def has_own_capitals(word: str) -> bool:
    """Say whether a word is an abbreviation or otherwise has its own capitals, such as `PDF` and `OAuth2`."""
    return len(word) > 1 and (word.isupper() or word[1:].lower() != word[1:])


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a description, without the spaces around them."""
    return tuple(part.strip() for part in _SENTENCE_END.split(text) if part.strip())


def one_line_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a description, each on one line."""
    return tuple(map(on_one_line, sentences_of(text)))


def on_one_line(text: str) -> str:
    """Return a text whose white space is single spaces."""
    return " ".join(text.split())


def plain_letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return _NEITHER_LETTER_NOR_DIGIT.sub("", text.lower())


def type_advice(expected: str, found: object) -> str:
    """Return what to do about a value of another type: other tools take references where OpenAPI does not."""
    if isinstance(found, dict) and isinstance(found.get("$ref"), str):
        return f"write {expected}: OpenAPI has no $ref here, but 'redocly bundle' puts in what it refers to"
    if expected == "text" and isinstance(found, (bool, int, float)):
        return f"put it in quotes: without them, it is {'true or false' if isinstance(found, bool) else 'a number'}"
    if found is None:
        return f"write {expected}; if it is the next lines, indent them"
    return f"write {expected}"
