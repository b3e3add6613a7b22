"""Messages in the language of a site, and how the language is chosen and left."""

from gettext import NullTranslations

from devportal.parallel import MIN_TASKS, run_tasks
from devportal.translation import (
    ENGLISH,
    Interface,
    cached_words,
    colon,
    current_interface,
    format_number,
    gettext,
    gettext_html,
    in_parentheses,
    in_sentence,
    interface_of,
    join_clauses,
    join_list,
    join_sentences,
    ngettext,
    with_label,
)
from devportal.translation.catalogues import find_catalogue, load_interface


class _Shouting(NullTranslations):
    """A language that shouts."""

    def gettext(self, message: str) -> str:
        return message.upper().replace("%(NAME)S", "%(name)s")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:  # noqa: ARG002 - its own words
        return "many: %(number)s" if n != 1 else "one: %(number)s"


SHOUTING = Interface(language="de", translations=_Shouting())


def test_english_is_the_message_itself() -> None:
    """Without a language, messages are as they are written, with values and numbers in them."""
    assert gettext("Part of %(name)s", name="it") == "Part of it"
    assert ngettext("%(number)s field", "%(number)s fields", 1) == "1 field"
    assert ngettext("%(number)s field", "%(number)s fields", 1200) == "1,200 fields"


def test_language_holds_within_its_block() -> None:
    """A language never leaks out of the build that it is for, however that ends."""
    with interface_of(SHOUTING):
        assert gettext("of %(name)s", name="it") == "OF it"
        with interface_of(ENGLISH):
            assert gettext("of") == "of"
        assert current_interface() is SHOUTING

    assert current_interface() is ENGLISH
    assert gettext("of") == "of"


def test_numbers_are_written_as_the_language_has_them() -> None:
    """German separates thousands by dots; a language that nobody has data for writes them as English does."""
    with interface_of(SHOUTING):
        assert format_number(1200) == "1.200"
        assert ngettext("one", "many", 1200) == "many: 1.200"
    with interface_of(Interface(language="qps", translations=NullTranslations())):
        assert format_number(1200) == "1,200"


def test_html_of_messages_is_escaped() -> None:
    """A translation cannot bring markup; values are HTML already."""
    with interface_of(SHOUTING):
        assert gettext_html("<b> %(name)s", name="<i>x</i>") == "&lt;B&gt; <i>x</i>"


def test_cached_words_are_those_of_the_language() -> None:
    """What is cached in one language is not returned in another."""

    @cached_words(8)
    def words(name: str) -> str:
        return gettext("of %(name)s", name=name)

    assert words("it") == "of it"
    with interface_of(SHOUTING):
        assert words("it") == "OF it"
    assert words("it") == "of it"


def test_language_reaches_forked_processes() -> None:
    """Pages that another process renders are in the same language."""
    with interface_of(SHOUTING):
        results = [*run_tasks([lambda: gettext("of")] * (2 * MIN_TASKS), processes=2)]

    assert set(results) == {"OF"}


def test_shipped_catalogue_translates() -> None:
    """A region of a language has the words of the language."""
    with interface_of(load_interface(find_catalogue("de-AT"))):
        assert gettext("required") == "Pflichtfeld"
        assert ngettext("%(number)s field", "%(number)s fields", 2) == "2 Felder"


def _punctuation_samples() -> tuple[str, ...]:
    sentences = join_sentences(("A.", "", "B."))
    return (
        join_list("ab"),
        join_clauses("ab"),
        sentences,
        with_label("a", "b"),
        f"a{colon()}",
        f"a{in_parentheses('b')}",
    )


def test_punctuation_is_that_of_the_language() -> None:
    """Japanese has marks of full width and no spaces; French has spaces that do not break."""
    assert _punctuation_samples() == ("a, b", "a; b", "A. B.", "a: b", "a:", "a (b)")
    with interface_of(load_interface(find_catalogue("ja"))):
        assert _punctuation_samples() == ("a、b", "a；b", "A.B.", "a：b", "a：", "a（b）")
    with interface_of(load_interface(find_catalogue("fr"))):
        assert with_label("a", "b") == "a\N{NO-BREAK SPACE}: b"


def test_labels_within_a_sentence() -> None:
    """Small in English, small at the beginning in Spanish, as they are in German; acronyms everywhere."""
    labels = ("By Country", "SMS", "MCC and MNC", "")
    spanish = Interface(language="es-MX", translations=NullTranslations())

    assert [in_sentence(label) for label in labels] == ["by country", "SMS", "mcc and mnc", ""]
    with interface_of(spanish):
        assert [in_sentence(label) for label in labels] == ["by Country", "SMS", "MCC and MNC", ""]
    with interface_of(SHOUTING):
        assert [in_sentence(label) for label in labels] == [*labels]
