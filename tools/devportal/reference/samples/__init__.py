"""Code samples: one request, written in each language. A language is a file in `languages` and its name here."""

from devportal.reference.samples.language import Language, load_language
from devportal.reference.samples.request import SampleRequest

__all__ = ["LANGUAGES", "Language", "SampleRequest", "language_called"]

LANGUAGES = tuple(map(load_language, ("curl", "python", "node", "php", "go", "ruby", "java", "csharp")))
"""The languages, in the order shown."""


def language_called(name: str) -> Language | None:
    """Return the language that a contract means by a name."""
    lowered = name.strip().lower()
    return next((one for one in LANGUAGES if lowered == one.name or lowered in one.also), None)
