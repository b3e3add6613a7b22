"""Words of ours in templates, in the language of the site that is being made (`devportal.translation`).

In templates of HTML, `_` and `ngettext` return HTML: the message is escaped, and so are values that are not HTML
yet. `plain_gettext` and `plain_ngettext` return text, for what is passed on to a function that escapes it.
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

from jinja2 import pass_eval_context
from jinja2.nodes import EvalContext
from markupsafe import Markup

from devportal.translation import (
    ENGLISH,
    colon,
    current_interface,
    format_number,
    gettext,
    join_clauses,
    join_list,
    ngettext,
    pgettext,
)


@pass_eval_context
def _gettext(at: EvalContext, message: str, /, **values: object) -> str:
    return _with_values(at, gettext(message), values)


@pass_eval_context
def _pgettext(at: EvalContext, context: str, message: str, /, **values: object) -> str:
    return _with_values(at, pgettext(context, message), values)


@pass_eval_context
def _ngettext(at: EvalContext, singular: str, plural: str, number: int, /, **values: object) -> str:
    text = ngettext(singular, plural, number, **{name: f"%({name})s" for name in values})
    return _with_values(at, text, values)


@pass_eval_context
def _with_label(at: EvalContext, label: str, value: str) -> str:
    return _pgettext(at, "a label and its value", "%(label)s: %(value)s", label=label, value=value)


def _comma() -> str:
    """Return what is between the items of a list."""
    return join_list(("", ""))


def _semicolon() -> str:
    return join_clauses(("", ""))


def _space() -> str:
    """Return what is between two sentences."""
    return pgettext("two sentences", "%(first)s %(second)s", first="", second="")


def _with_values(at: EvalContext, text: str, values: Mapping[str, object]) -> str:
    """Return a text with values in it; the quotes of messages are escaped for attributes."""
    if at.autoescape:
        text = Markup(  # noqa: S704 - it is escaped
            text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
        )
    return text % values if values else text


def _in_english() -> Markup:
    """Return the attribute of an element whose text is in English in every language; nothing in English."""
    return Markup("") if current_interface() is ENGLISH else Markup(' lang="en"')


def _theme_gettext(message: str, /, **values: object) -> str:
    text = escape(gettext(message))
    return text % values if values else text


THEME_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {"_": _theme_gettext, "gettext": _theme_gettext}
"""The functions for templates of the theme, where nothing is escaped automatically: values are HTML."""
TEMPLATE_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "_": _gettext,
    "gettext": _gettext,
    "ngettext": _ngettext,
    "pgettext": _pgettext,
    "plain_gettext": gettext,
    "plain_ngettext": ngettext,
    "format_number": format_number,
    "in_english": _in_english,
    "colon": colon,
    "comma": _comma,
    "semicolon": _semicolon,
    "space": _space,
    "with_label": _with_label,
}
"""The functions, by their names in templates."""
