"""The messages in the toolkit's own sources: Python, templates and scripts."""

import ast
from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import devportal
from devportal.translation.catalogues import MessageKey, message_key
from devportal.translation.scripts import script_messages

if TYPE_CHECKING:
    from babel.messages import Catalog

_ROOT = Path(devportal.__file__).parent
_METHODS: Final = (
    ("**.py", f"{__name__}:python_messages"),
    ("**.jinja", "jinja2"),
    ("site/theme/**.html", "jinja2"),
    ("site/theme/assets/**.js", f"{__name__}:javascript_messages"),
)
_ONE, _COUNTED, _IN_CONTEXT = None, (1, 2), ((1, "c"), 2)
_KEYWORDS: Final = {
    "_": _ONE,
    "gettext": _ONE,
    "gettextNodes": _ONE,
    "gettext_html": _ONE,
    "gettext_noop": _ONE,
    "plain_gettext": _ONE,
    "ngettext": _COUNTED,
    "ngettext_html": _COUNTED,
    "ngettext_noop": _COUNTED,
    "plain_ngettext": _COUNTED,
    "pgettext": _IN_CONTEXT,
    "phrase": _ONE,
    "phrase_in_context": _IN_CONTEXT,
}
"""The functions whose first arguments are messages."""


def python_messages(
    source: IO[bytes], keywords: Collection[str], comment_tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Yield the messages in Python as babel takes them: line, function, literal arguments, comments.

    babel's own extractor reads tokens, and finds nothing inside f-strings before Python 3.12.
    """
    del comment_tags, options
    for node in ast.walk(ast.parse(source.read())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in keywords:
            texts = tuple(takewhile(bool, map(_text_of, node.args)))
            if texts:
                yield node.lineno, node.func.id, texts if len(texts) > 1 else texts[0], []


def javascript_messages(
    source: IO[bytes], keywords: Collection[str], comment_tags: object, options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Yield the messages in a script as babel takes them, found as the build finds them."""
    del keywords, comment_tags, options
    for line, function, texts in script_messages(source.read().decode()):
        yield line, function, texts if len(texts) > 1 else texts[0], []


def _text_of(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def extract_messages() -> "Catalog":
    """Return all messages of the toolkit, each with the files that have it, as a catalogue without translations."""
    from babel.messages import Catalog  # noqa: PLC0415 - only this needs it
    from babel.messages.extract import extract_from_dir  # noqa: PLC0415

    catalogue = Catalog(
        project="devportal",
        header_comment="# Messages of devportal.",
        fuzzy=False,
        charset="utf-8",
    )
    options: Mapping[str, dict[str, str]] = {"**.jinja": _JINJA, "site/theme/**.html": _JINJA}
    found = extract_from_dir(
        _ROOT, _METHODS, options, keywords=_KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )
    for file, _, message, comments, context in found:
        catalogue.add(message, locations=((file, 0),), auto_comments=comments, context=context)
    return catalogue


_JINJA: Final = {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}


def template_text() -> bytes:
    """Return the template with all messages, as `languages/messages.pot` has it."""
    return catalogue_text(extract_messages())


def catalogue_text(catalogue: "Catalog") -> bytes:
    """Return a catalogue as a file: in the order of messages, without a date, so that equal ones are equal."""
    from babel.messages.pofile import write_po  # noqa: PLC0415 - as above

    written = BytesIO()
    write_po(written, catalogue, width=110, sort_output=True, include_lineno=False, omit_header=False)
    lines = written.getvalue().split(b"\n")
    return b"\n".join(line for line in lines if not line.startswith(_HEADERS_WITHOUT_USE))


_HEADERS_WITHOUT_USE: Final = (
    b'"POT-Creation-Date:',
    b'"PO-Revision-Date:',
    b'"Last-Translator: FULL NAME',
    b'"Language-Team: ',
    b'"Report-Msgid-Bugs-To:',
    b'"Generated-By:',
    b'"Project-Id-Version:',
)


def updated_catalogue(existing: "Catalog | None", language: str) -> "Catalog":
    """Return a catalogue for a language with all messages of the toolkit, and with the translations there are.

    A translation of a message that the toolkit no longer has stays, as a comment.
    """
    from babel.messages import Catalog  # noqa: PLC0415 - as above

    catalogue = existing if existing is not None else Catalog(locale=language.replace("-", "_"), fuzzy=False)
    catalogue.update(extract_messages(), no_fuzzy_matching=True, update_header_comment=True)
    catalogue.fuzzy = False
    return catalogue


def keys_of(catalogue: "Catalog") -> Iterator[MessageKey]:
    """Yield what each message of a catalogue is known by."""
    return (message_key(message.context, message.id) for message in catalogue if message.id)
