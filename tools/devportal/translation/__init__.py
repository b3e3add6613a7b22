"""The toolkit's own words in the language of a site (decision 0063).

Source texts are English and are the ids of messages, as GNU gettext has it. What writes a page calls `gettext` and
its siblings when it writes: never at import, when nobody knows the language.
"""

from devportal.translation.formats import format_day, in_sentence, join_words, territory_names
from devportal.translation.messages import (
    ENGLISH,
    Interface,
    cached_words,
    colon,
    current_interface,
    format_number,
    gettext,
    gettext_html,
    gettext_noop,
    in_parentheses,
    interface_of,
    join_clauses,
    join_list,
    join_sentences,
    ngettext,
    ngettext_html,
    ngettext_noop,
    pgettext,
    with_label,
)

__all__ = [
    "ENGLISH",
    "Interface",
    "cached_words",
    "colon",
    "current_interface",
    "format_day",
    "format_number",
    "gettext",
    "gettext_html",
    "gettext_noop",
    "in_parentheses",
    "in_sentence",
    "interface_of",
    "join_clauses",
    "join_list",
    "join_sentences",
    "join_words",
    "ngettext",
    "ngettext_html",
    "ngettext_noop",
    "pgettext",
    "territory_names",
    "with_label",
]
