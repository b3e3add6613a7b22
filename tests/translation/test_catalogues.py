"""The catalogues that the toolkit brings are complete, and a project can bring its own."""

from pathlib import Path

import pytest

from devportal.errors import UnreadableInput
from devportal.translation import ENGLISH, gettext, interface_of
from devportal.translation.catalogues import (
    FOLDER,
    TEMPLATE,
    Catalogue,
    find_catalogue,
    find_untranslated,
    load_interface,
    read_catalogue,
    shipped_languages,
    wrong_placeholders,
)
from devportal.translation.extraction import keys_of, template_text, updated_catalogue

SHIPPED = tuple(
    shipped_language for shipped_language in shipped_languages() if shipped_language != ENGLISH.language
)


def test_template_has_all_messages() -> None:
    """`languages/messages.pot` is what the sources have: `python -m devportal.translation` writes it."""
    assert TEMPLATE.read_bytes().decode() == template_text().decode()


@pytest.mark.parametrize("language", SHIPPED)
def test_shipped_catalogue_is_complete(language: str) -> None:
    """Every message has a translation with its placeholders, and no translation is of a message that is gone."""
    file = FOLDER / f"{language}.po"

    assert find_untranslated(Catalogue(language=language, files=(file,))) == ()
    assert wrong_placeholders(file) == ()
    assert set(keys_of(read_catalogue(file))) == set(keys_of(read_catalogue(TEMPLATE)))


def test_missing_message_is_reported(tmp_path: Path) -> None:
    """A catalogue without a message, with an empty one or with a fuzzy one does not translate it."""
    file = tmp_path / "sv.po"
    file.write_text(
        'msgid "Operations"\nmsgstr "Operationer"\n\n#, fuzzy\nmsgid "Schemas"\nmsgstr "Scheman"\n', "utf-8"
    )

    missing = find_untranslated(Catalogue(language="sv", files=(file,)))

    assert ("", "Schemas") in missing
    assert ("", "required") in missing
    assert ("", "Operations") not in missing


def test_wrong_placeholder_is_found(tmp_path: Path) -> None:
    """A translation that misspells or forgets a placeholder would fail a build or lose a value."""
    file = tmp_path / "sv.po"
    file.write_text(
        'msgid "of %(whole)s"\nmsgstr "av %(hela)s"\n\nmsgid "array of %(type)s"\nmsgstr "lista"\n', "utf-8"
    )

    assert wrong_placeholders(file) == (("", "of %(whole)s"), ("", "array of %(type)s"))


def test_own_catalogue_goes_first(tmp_path: Path) -> None:
    """A project's file wins over the toolkit's, which fills what the file leaves out."""
    own = tmp_path / "de.po"
    own.write_text('msgid "Operations"\nmsgstr "Endpunkte"\n', encoding="utf-8")

    with interface_of(load_interface(find_catalogue("de", (own,)))):
        assert gettext("Operations") == "Endpunkte"
        assert gettext("Schemas") == "Schemas"
        assert gettext("required") == "Pflichtfeld"


@pytest.mark.parametrize("language", ["en", "en-GB", "sv"])
def test_no_catalogue_is_english(language: str) -> None:
    """English needs none, and a language without one has English words."""
    assert load_interface(find_catalogue(language)) is ENGLISH


def test_unreadable_catalogue(tmp_path: Path) -> None:
    """A file that is no catalogue is named."""
    file = tmp_path / "sv.po"
    file.write_bytes(b'msgid "Operations"\nmsgstr "\xff"\n')

    with pytest.raises(UnreadableInput, match=r"sv\.po"):
        load_interface(find_catalogue("sv", (file,)))


def test_a_wrong_line_of_a_catalogue_has_its_place(tmp_path: Path) -> None:
    """A file of another kind is one, too."""
    file = tmp_path / "mkdocs.yml"
    file.write_text("# Settings\n\nsite_name: Parcels\n", encoding="utf-8")

    with pytest.raises(UnreadableInput) as caught:
        read_catalogue(file)

    assert str(caught.value.place) == "mkdocs.yml:3:1"
    assert "'site_name: Parcels'" in caught.value.message
    assert "devportal translations" in caught.value.help


def test_update_keeps_translations(tmp_path: Path) -> None:
    """What is translated stays, what is new is empty, and what is gone stays as a comment."""
    file = tmp_path / "sv.po"
    file.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "Operations"\nmsgstr "Operationer"\n\nmsgid "Gone"\nmsgstr "Borta"\n',
        encoding="utf-8",
    )

    updated = updated_catalogue(read_catalogue(file), "sv")

    assert updated["Operations"].string == "Operationer"
    assert not updated["Schemas"].string
    assert "Gone" in updated.obsolete
