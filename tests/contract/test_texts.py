"""What tells a change of descriptions from a change of anything else."""

import json
from typing import Any

import pytest

from devportal.contract.texts import Texts, texts_of

DOCUMENT = {
    "info": {"title": "T", "description": 'Says "so".'},
    "paths": {"/a": {"get": {"summary": "A", "description": "Second line\nand more."}}},
    "x-order": [1, 2],
}


def texts(document: Any) -> Texts:
    """Return the texts of one document."""
    return texts_of([("", document)])


def changed(path: list[str], value: Any) -> Any:
    """Return the document with another value at a path."""
    copy = json.loads(json.dumps(DOCUMENT))
    here = copy
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return copy


def test_descriptions_that_changed_are_told_as_they_were() -> None:
    """Each as plain text, however JSON writes it."""
    after = changed(["paths", "/a", "get", "description"], "Other.")

    assert texts(after).changed_since(texts(DOCUMENT)) == ("Second line\nand more.",)
    assert texts(DOCUMENT).changed_since(texts(DOCUMENT)) == ()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["info", "title"], "U"),
        (["info", "description"], ""),
        (["info", "summary"], "new"),
        (["paths", "/a", "get", "summary"], "B"),
        (["paths", "/b"], {}),
        (["x-order"], [2, 1]),
    ],
)
def test_every_other_change_is_one_of_the_structure(path: list[str], value: Any) -> None:
    """Also that a description is not there any more."""
    assert texts(changed(path, value)).changed_since(texts(DOCUMENT)) is None


def test_order_is_part_of_the_structure() -> None:
    """Pages show what stands first first."""
    turned = dict(reversed(DOCUMENT.items()))

    assert texts(turned).changed_since(texts(DOCUMENT)) is None


def test_a_mapped_value_called_description_is_no_description() -> None:
    """A discriminator may have a value of that name; the text beside it names a schema."""
    before = {"mapping": {"a": "#/A", "description": "#/B"}, "description": "x"}
    after = {"mapping": {"a": "#/A", "description": "#/C"}, "description": "x"}

    assert texts(after).changed_since(texts(before)) is None
    assert texts(before).changed_since(texts(before)) == ()
