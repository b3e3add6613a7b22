"""Links for the bare addresses in text, as GitHub's Markdown makes them (GFM, "Autolinks (extension)")."""

import html
import re

_MARKUP = re.compile(r"""<(/?)([a-z][a-z0-9]*)(?:[^<>"]|"[^"]*")*>""")
"""A tag of sanitised HTML."""
_LINKED_OR_CODE = {"a", "code", "kbd", "pre", "samp"}
_ADDRESS = re.compile(
    r"""(?<![A-Za-z0-9_/@.=-])(?:https?://|www\.)(?:[\w-]+\.)+[a-z][a-z0-9-]*(?::\d+)?"""
    r"""(?:[/?\#](?:&(?!lt;|gt;|quot;|nbsp;)|[^\s<>"`&\xa0\u3000-\u9fff\uac00-\ud7af\uff00-\uffef])*)?""",
    re.IGNORECASE,
)
"""An address whose host has a dot, in escaped text. Chinese, Japanese and Korean text needs no space after it."""
_PUNCTUATION = "?!.,:;*_~'’”»)]"
_OPENING = {")": "(", "]": "["}
_ENTITY = re.compile(r"&#?\w{1,31};\Z")
_PLACEHOLDER = re.compile(r"[{}…]|\.\.\.")
_WITHOUT_LINK = re.compile(r"(?<!\]\()(?:https?://|www\.)", re.IGNORECASE)


def has_bare_address(text: str) -> bool:
    """Say whether Markdown may contain an address outside a link of the form `[text](address)`."""
    return ("://" in text or "www." in text or "WWW." in text) and bool(_WITHOUT_LINK.search(text))


def link_bare_addresses(fragment: str) -> str:
    """Return sanitised HTML with links for the addresses in its text, outside links and code.

    Addresses with placeholders, such as `https://{region}.example.com`, lead nowhere and stay text.
    """
    if not has_bare_address(fragment):
        return fragment
    parts: list[str] = []
    end = depth = 0
    for tag in _MARKUP.finditer(fragment):
        text = fragment[end : tag.start()]
        parts += (text if depth else _ADDRESS.sub(_link_address, text), tag.group())
        end = tag.end()
        if tag[2] in _LINKED_OR_CODE:
            depth += -1 if tag[1] else 1
    rest = fragment[end:]
    return "".join((*parts, rest if depth else _ADDRESS.sub(_link_address, rest)))


def _link_address(match: re.Match[str]) -> str:
    found = match.group()
    if _PLACEHOLDER.search(found) or match.string.startswith(("{", "&lt;"), match.end()):
        return found
    address = _cut_punctuation(found)
    url = address if "://" in address else f"http://{address}"
    href = html.escape(html.unescape(url))
    return f'<a href="{href}" rel="noopener noreferrer">{address}</a>{found[len(address) :]}'


def _cut_punctuation(address: str) -> str:
    """Return an address without the punctuation of the sentence; brackets that it opens belong to it."""
    while (last := address[-1]) in _PUNCTUATION:
        opening = _OPENING.get(last)
        is_balanced = opening and address.count(opening) >= address.count(last)
        if is_balanced or _ENTITY.search(address, max(0, len(address) - 34)):
            break
        address = address[:-1]
    return address
