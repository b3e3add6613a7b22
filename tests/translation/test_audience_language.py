"""Each audience of a project can have a language of its own."""

from datetime import date
from pathlib import Path

import pytest

from devportal.errors import InvalidSettings
from devportal.findings import Finding
from devportal.project.audiences import Audiences
from devportal.project.inputs import Inputs
from devportal.site.language import untranslated_words


def test_language_of_an_audience() -> None:
    """It is written as its tag usually is; without one, that of the project holds."""
    found = Audiences().check(
        {"global": {}, "dach": {"language": "de-at", "site_url": "https://de.example.com/"}}
    )

    assert [audience.language for audience in found] == ["", "de-AT"]
    assert found[1].site_url == "https://de.example.com/"


def test_unknown_language_of_an_audience() -> None:
    """The message names the audience and the language that is probably meant."""
    with pytest.raises(InvalidSettings, match=r"language of the audience 'japan': 'jp'.*did you mean 'ja'"):
        Audiences().check({"japan": {"language": "jp"}})


def findings_for(language: str, *translations: Path) -> list[Finding]:
    """Return what is said about the words of a site in a language."""
    inputs = Inputs(
        root=Path(), contract=None, today=date(2026, 12, 1), language=language, translations=translations
    )
    return list(untranslated_words(inputs, None))


def test_language_without_translations() -> None:
    """A note, as the site is complete in English, with the languages that there are."""
    (found,) = findings_for("sw")

    assert (found.rule, found.level) == ("no-translations", "note")
    assert "'sw'" in found.message
    assert "en, de" in found.help
    assert "devportal translations sw" in found.help


@pytest.mark.parametrize("language", ["en", "en-GB", "de", "de-AT"])
def test_language_with_translations(language: str) -> None:
    """Nothing is said of English and of what the toolkit has, in any region."""
    assert findings_for(language) == []


def test_language_that_the_project_translates(tmp_path: Path) -> None:
    """What its file leaves out is reported, and no missing language."""
    own = tmp_path / "sw.po"
    own.write_text('msgid "Operations"\nmsgstr "Operesheni"\n', encoding="utf-8")

    assert [finding.rule for finding in findings_for("sw", own)] == ["untranslated-words"]
