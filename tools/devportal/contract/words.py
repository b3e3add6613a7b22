"""The words that a name is made of, in whatever style it is written: for titles and for parts of addresses.

`assets/devportal/matching.js` takes names apart alike, as search leaves out what can be made from a name.
"""

import re

_SEAM = re.compile(r"([a-z0-9])(?=[A-Z])|(?!OAuth)([A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])")
"""The last letter of a word before another in camel case. `OAuth` and plurals such as `IDs` are one word."""


def apart(name: str, glue: str) -> str:
    """Return a name with `glue` between words in camel case: `getPDFInvoice` → `get-PDF-Invoice`."""
    return _SEAM.sub(rf"\g<0>{glue}", name)


def loose(name: str) -> str:
    """Return what is left of a name in an anchor, where authors write it freely: letters and digits, in one
    case. Names without any are all alike.
    """
    return re.sub(r"[\W_]+", "", name).casefold()


def title_from_id(operation_id: str) -> str:
    """Return words from an operationId: `createOrder` → `Create order`, `issues/lock` → `Issues lock`."""
    words = filter(None, re.split(r"[\W_]+", apart(operation_id, " ")))
    text = " ".join(word if _is_name(word) else word.lower() for word in words)
    return text[:1].upper() + text[1:]


def _is_name(word: str) -> bool:
    """Say whether a word is an abbreviation or otherwise has its own capitals, such as `PDF` and `OAuth2`."""
    return len(word) > 1 and (word.isupper() or word[1:].lower() != word[1:])
