"""The functions that return a text of ours in the language of the site that is being made."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from babel import Locale

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_ENGLISH_PLURALS: Final = "n != 1"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interface:
    """The language of the words around texts of the contract, and their translations; `language` is a tag.

    `digest` changes with the translations: what is kept between builds depends on it. `plural_rule` is the
    expression of GNU gettext that returns which form a number `n` has.
    """

    language: str
    translations: NullTranslations = field(repr=False)
    digest: str = ""
    plural_rule: str = _ENGLISH_PLURALS


ENGLISH: Final = Interface(language="en", translations=NullTranslations())
"""The language that all messages are written in."""

_current: ContextVar[Interface | None] = ContextVar("interface", default=None)
"""The interface of the site that is being made; None for English, the common case, which looks nothing up."""


def current_interface() -> Interface:
    """Return the language that messages are returned in."""
    return _current.get() or ENGLISH


@contextmanager
def interface_of(interface: Interface) -> Iterator[None]:
    """Return messages in a language for the time of a `with` block, in forked processes too."""
    token = _current.set(None if interface is ENGLISH else interface)
    try:
        yield
    finally:
        _current.reset(token)


def gettext(message: str, /, **values: object) -> str:
    """Return a message as plain text, its `%(name)s` replaced by values."""
    interface = _current.get()
    text = message if interface is None else interface.translations.gettext(message)
    return text % values if values else text


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Return a message that means something else in another context, as `gettext`."""
    interface = _current.get()
    text = message if interface is None else interface.translations.pgettext(context, message)
    return text % values if values else text


class _MissingMessage(str):
    """A message as it is looked up: a catalogue without it returns it."""

    __slots__ = ()


def find_message(message: str, context: str = "") -> str | None:
    """Return a message in the language of the site; None if the language does not have it."""
    interface = _current.get()
    if interface is None:
        return message
    sought, catalogue = _MissingMessage(message), interface.translations
    text = catalogue.pgettext(context, sought) if context else catalogue.gettext(sought)
    return None if isinstance(text, _MissingMessage) else text


def join_list(items: Iterable[str]) -> str:
    """Return what people read as a list: `a, b`. As all punctuation here, it is the same in HTML and Markdown."""
    comma = ", " if _current.get() is None else pgettext("between the items of a list", ", ")
    return comma.join(items)


def join_clauses(clauses: Iterable[str]) -> str:
    """Return what has commas itself as a list: `a, b; c`."""
    return pgettext("between clauses", "; ").join(clauses)


def join_sentences(sentences: Iterable[str]) -> str:
    """Return the sentences that are not empty, one after the other."""
    space = pgettext("two sentences", "%(first)s %(second)s", first="", second="")
    return space.join(filter(None, sentences))


def with_label(label: str, value: str) -> str:
    """Return a label and its value: `label: value`."""
    if _current.get() is None:
        return f"{label}: {value}"
    return pgettext("a label and its value", "%(label)s: %(value)s", label=label, value=value)


def colon() -> str:
    """Return what follows a label if a text, a list or a block comes after it."""
    return ":" if _current.get() is None else pgettext("after a label", ":")


def in_parentheses(note: str) -> str:
    """Return a note as it follows a word, with the space before it."""
    if _current.get() is None:
        return f" ({note})"
    return pgettext("a note after a word", " (%(note)s)", note=note)


def ngettext(singular: str, plural: str, number: float, /, **values: object) -> str:
    """Return a message for a number of things, its `%(number)s` written as the language writes it."""
    return _form_for(singular, plural, number) % {"number": format_number(number), **values}


def _form_for(singular: str, plural: str, number: float) -> str:
    """Return the form of a message for a number of things."""
    interface = _current.get()
    if interface is None:
        return singular if number == 1 else plural
    return interface.translations.ngettext(singular, plural, int(number))


def gettext_html(message: str, /, **html: str) -> str:
    """Return a message as HTML, as it stands between tags; the values are HTML already."""
    text = _escape(gettext(message))
    return text % html if html else text


def ngettext_html(singular: str, plural: str, number: int, /, **html: str) -> str:
    """Return a message for a number of things as HTML; the values are HTML already."""
    return _escape(_form_for(singular, plural, number)) % {"number": format_number(number), **html}


def gettext_noop(message: str, /) -> str:
    """Return a message as it is: marks one in a table, which is looked up when it is shown."""
    return message


def ngettext_noop(singular: str, plural: str, /) -> tuple[str, str]:
    """Return a message for a number of things as it is: marks one in a table, as `gettext_noop`."""
    return singular, plural


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def format_number(number: float) -> str:
    """Return a number with its thousands separated: `1,250` in English."""
    interface = _current.get()
    return f"{number:,}" if interface is None else _format_number(number, interface.language)


@lru_cache(maxsize=1024)
def _format_number(number: float, language: str) -> str:
    from babel.numbers import format_decimal  # noqa: PLC0415 - English needs none

    locale = find_locale(language)
    return f"{number:,}" if locale is None else format_decimal(number, locale=locale)


@lru_cache(maxsize=8)
def find_locale(language: str) -> "Locale | None":
    """Return what babel knows of a language; None if it does not know it."""
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - as above

    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return None


def cached_words(maxsize: int) -> Callable[[Callable[_Parameters, _Result]], Callable[_Parameters, _Result]]:
    """Return a decorator as `functools.lru_cache` for a function whose result has words of ours.

    Each language has its own results; those of English cost what `lru_cache` costs, and a look at the language.
    """

    def decorate(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
        in_english: Any = lru_cache(maxsize=maxsize)(function)

        @lru_cache(maxsize=maxsize)
        def in_language(_: Interface, *args: Any, **named: Any) -> _Result:
            return function(*args, **named)

        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            interface = _current.get()
            if interface is None:
                return in_english(*args, **named)
            return in_language(interface, *args, **named)

        return call

    return decorate
