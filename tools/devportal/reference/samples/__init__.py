"""Code samples: one request, written in each language.

A language is a file in `languages` and its name in `SAMPLE_LANGUAGES` of the settings.
"""

from collections.abc import Iterable

from devportal.project.setting_kinds import SAMPLE_LANGUAGES
from devportal.reference.samples.language import Language, load_language
from devportal.reference.samples.request import SampleRequest

__all__ = ["LANGUAGES", "Language", "SampleRequest", "language_called", "languages_named"]

LANGUAGES = tuple(map(load_language, SAMPLE_LANGUAGES))
"""All languages, in the order shown if a project does not choose."""


def languages_named(names: Iterable[str]) -> tuple[Language, ...]:
    """Return the languages with these names, in the same order."""
    by_name = {language.name: language for language in LANGUAGES}
    return tuple(by_name[name] for name in names)


def language_called(name: str) -> Language | None:
    """Return the language that a contract means by a name."""
    lowered = name.strip().lower()
    return next(
        (language for language in LANGUAGES if lowered == language.name or lowered in language.also), None
    )
