"""Catalogues of translated messages: files of GNU gettext (`.po`), the toolkit's and those of a project."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from gettext import GNUTranslations
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from devportal.errors import Place, UnreadableInput
from devportal.translation.messages import ENGLISH, Interface

if TYPE_CHECKING:
    from babel.messages import Catalog, Message

FOLDER = Path(__file__).parent / "languages"
"""The toolkit's catalogues, each called by its language, and the template with all messages."""
TEMPLATE = FOLDER / "messages.pot"
_PLURAL_RULE = re.compile(r"\bplural=([n\d\s()?:!=<>&|%+*/-]+)")
_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]")

MessageKey = tuple[str, str]
"""The context of a message, empty for most, and its source text; of one with plurals, the singular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Where the translations into a language are: the toolkit's file, and the project's, which goes first."""

    language: str
    files: tuple[Path, ...]


def shipped_languages() -> tuple[str, ...]:
    """Return the tags of the languages that the toolkit's words exist in, English first."""
    return (ENGLISH.language, *sorted(path.stem for path in FOLDER.glob("*.po")))


def find_catalogue(language: str, own: Iterable[Path] = ()) -> Catalogue | None:
    """Return the catalogue for a language by lookup (RFC 4647 §3.4): `de` does for `de-AT`.

    `own` are the files of a project, each called by its language. None if there is none, or for English.
    """
    shipped = {path.stem.lower(): path for path in FOLDER.glob("*.po")}
    brought = {path.stem.lower().replace("_", "-"): path for path in own}
    tag = language.lower()
    while tag:
        if tag in brought or tag in shipped:
            files = tuple(files[tag] for files in (brought, shipped) if tag in files)
            return Catalogue(language=files[0].stem.replace("_", "-"), files=files)
        if tag == ENGLISH.language:
            return None
        tag = tag.rpartition("-")[0]
    return None


def load_interface(catalogue: Catalogue | None) -> Interface:
    """Return the language of an interface with its translations. Raises UnreadableInput."""
    if catalogue is None:
        return ENGLISH
    contents = tuple(_content(file) for file in catalogue.files)
    return _interface(catalogue, contents)


@lru_cache(maxsize=8)
def _interface(catalogue: Catalogue, contents: tuple[bytes, ...]) -> Interface:
    """Return the same interface for the same files: what is rendered in it is cached by it."""
    first, *others = (
        _translations(file, content) for file, content in zip(catalogue.files, contents, strict=True)
    )
    for fallback in others:
        first.add_fallback(fallback)
    digest = sha256(b"\0".join(contents)).hexdigest()
    header = _PLURAL_RULE.search(first.info().get("plural-forms", ""))
    rule = header[1] if header else ENGLISH.plural_rule
    return Interface(language=catalogue.language, translations=first, digest=digest, plural_rule=rule)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UnreadableInput(
            f"this file cannot be read: {error.strerror}",
            place=Place(file=file.name),
            help="check the path and its permissions",
        ) from error


def _translations(file: Path, content: bytes) -> GNUTranslations:
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - English needs none

    compiled = BytesIO()
    write_mo(compiled, read_catalogue(file, content))
    compiled.seek(0)
    return GNUTranslations(compiled)


def read_catalogue(file: Path, content: bytes | None = None) -> "Catalog":
    """Return the messages of a file. Raises UnreadableInput."""
    from babel.messages.pofile import PoFileError, read_po  # noqa: PLC0415 - as above

    source = BytesIO(_content(file) if content is None else content)
    try:
        return read_po(source, abort_invalid=True)
    except PoFileError as error:
        reason = str(error).removesuffix(f" on {error.lineno}")
        raise UnreadableInput(
            f"this is not a catalogue of gettext (PO): {reason}: {error.line.strip()!r}",
            place=Place(file=file.name, line=error.lineno + 1, column=1),
            help="name a file of `devportal translations`, or fix the line",
        ) from error
    except ValueError as error:
        raise UnreadableInput(
            f"this is not a catalogue of gettext (PO): {error}",
            place=Place(file=file.name),
            help="save it as UTF-8, with its header",
        ) from error


def find_untranslated(catalogue: Catalogue) -> tuple[MessageKey, ...]:
    """Return the messages of the toolkit that a language has no translation of, in the template's order."""
    known = {
        key
        for file in catalogue.files
        for key, is_translated in _states(read_catalogue(file))
        if is_translated
    }
    return tuple(key for key, _ in _states(read_catalogue(TEMPLATE)) if key not in known)


def _states(messages: "Catalog") -> Iterator[tuple[MessageKey, bool]]:
    """Yield each message, and whether it has a translation that counts: a fuzzy one does not."""
    for message in messages:
        if message.id:
            yield message_key(message.context, message.id), is_translated(message)


def is_translated(message: "Message") -> bool:
    """Say whether a message has a translation, in all its forms."""
    texts = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
    return all(texts) and not message.fuzzy


def message_key(context: str | None, source: "str | tuple[str, ...] | list[str]") -> MessageKey:
    """Return what a message is known by."""
    return context or "", source if isinstance(source, str) else source[0]


def wrong_placeholders(file: Path) -> tuple[MessageKey, ...]:
    """Return the messages of a file whose translations have other placeholders than the source texts."""
    found = []
    for message in read_catalogue(file):
        sources = (message.id,) if isinstance(message.id, str) else tuple(message.id)
        texts = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        allowed = {name for source in sources for name in _PLACEHOLDER.findall(source)}
        needed = set(_PLACEHOLDER.findall(sources[-1]))
        for text in filter(None, texts):
            written = set(_PLACEHOLDER.findall(text))
            missing = needed - written - ({"%(number)s"} if len(sources) > 1 else set())
            if written - allowed or missing:
                found.append(message_key(message.context, message.id))
                break
    return tuple(found)
