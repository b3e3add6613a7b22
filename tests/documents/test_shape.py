"""The shape of documents: every misfit with its place, its value quoted, and what to do."""

import pytest

from devportal.documents import Shape, parse_document
from devportal.errors import Place

SCHEMA = {
    "type": "object",
    "description": "a book is a mapping",
    "additionalProperties": False,
    "required": ["title"],
    "properties": {
        "title": {"description": "what is on the cover", "type": "string", "minLength": 1, "maxLength": 9},
        "kind": {"description": "how it is told", "enum": ["novel", "play"]},
        "bound": {"description": "use yes or no", "enum": ["yes", "no"]},
        "out": {"description": "the day of publication", "$ref": "#/$defs/day"},
        "moods": {"description": "Its moods.", "type": "array", "items": {"enum": ["glad", "sad"]}},
        "author": {"description": "who wrote it", "type": "string", "minLength": 2},
        "parts": {"description": "its parts", "type": "array", "minItems": 2},
        "lock": {
            "description": "its lock",
            "x-secret": True,
            "type": "object",
            "properties": {"code": {"$ref": "#/$defs/code"}},
        },
        "code": {"description": "its code", "$ref": "#/$defs/code"},
        "notes": {"description": "its notes", "$ref": "#/$defs/notes"},
        "shelf": {"description": "its place", "type": ["string", "integer"]},
        "pages": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/day"}},
    },
    "$defs": {
        "day": {"type": "string", "format": "date"},
        "code": {"x-secret": True, "type": "string", "pattern": "^[A-Z]+$"},
        "notes": {"type": "object", "propertyNames": {"$ref": "#/$defs/name"}},
        "name": {"description": "write small letters", "pattern": "^[a-z]+$"},
    },
}
FIELDS = (
    "`title`, `kind`, `bound`, `out`, `moods`, `author`, `parts`, `lock`, `code`, `notes`, `shelf`, `pages`"
)
BOOK = Shape(SCHEMA, rule="book-shape", root="the book")


@pytest.mark.parametrize(
    ("text", "line", "message", "help_text"),
    [
        (
            "title: Emma\nkind: opera",
            2,
            "`kind` is 'opera', which is none of its values",
            "`kind`: how it is told, one of 'novel', 'play'",
        ),
        (
            "title: Emma\nbound: maybe",
            2,
            "`bound` is 'maybe', which is none of its values",
            "`bound`: use yes or no",
        ),
        (
            "title: Emma\nmoods: [mad]",
            2,
            "`moods.0` is 'mad', which is none of its values",
            "`moods.0`: Its moods. One of 'glad', 'sad'.",
        ),
        (
            "title: Emma\nout: soon",
            2,
            "`out` is 'soon', which is not a valid date",
            "`out`: the day of publication",
        ),
        ("title: ''", 1, "`title` is empty", "`title`: what is on the cover"),
        (
            "title: Emma\nauthor: J",
            2,
            "`author` is 'J', which is shorter than 2 characters",
            "`author`: who wrote it",
        ),
        (
            "title: Emma\nparts: [one]",
            2,
            "`parts` has too few items: it needs at least 2",
            "`parts`: its parts",
        ),
        ("title: 1984", 1, "`title` is 1984, not text", "`title`: what is on the cover"),
        ("title: 0123456789", 1, "`title` is 123456789, not text", "`title`: what is on the cover"),
        ("title: Persuasion", 1, "`title` has 10 characters, more than 9", "`title`: what is on the cover"),
        ("kind: play", 1, "the field 'title' is missing", "add `title`: what is on the cover"),
        ("title: Emma\nkinds: play", 2, "the field 'kinds' is not known here", "did you mean `kind`?"),
        (
            "title: Emma\nzzz: 1",
            2,
            "the field 'zzz' is not known here",
            f"the fields here are {FIELDS}",
        ),
        (
            "title: Emma\npages: [x]",
            2,
            "`pages.0` is 'x', which is not a valid date",
            "`pages.0`: a book is a mapping",
        ),
        ("- 1", 1, "the book is [1], not a mapping", "the book: a book is a mapping; it needs `title`"),
        ("", 1, "the book is empty, not a mapping", "the book: a book is a mapping; it needs `title`"),
    ],
)
def test_a_misfit_is_told_with_place_and_help(text: str, line: int, message: str, help_text: str) -> None:
    """The finding stands at the line of the key, quotes the value and gives the schema's own words."""
    (misfit,) = BOOK.misfits(parse_document(text, name="book.yaml"))

    found = misfit.finding
    assert (found.rule, found.place.file, found.place.line) == ("book-shape", "book.yaml", line)
    assert (found.message, found.help) == (message, help_text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("code: hunter2", "`code` does not fit (the value is not shown: it may be a secret)"),
        ("code: [hunter2]", "`code` is not text (the value is not shown: it may be a secret)"),
        ("lock: hunter2", "`lock` is not a mapping (the value is not shown: it may be a secret)"),
        ("lock: {code: hunter2}", "`lock.code` does not fit (the value is not shown: it may be a secret)"),
    ],
)
def test_a_value_that_may_be_a_secret_is_not_quoted(text: str, message: str) -> None:
    """Below a schema that is marked so, or that is referred to."""
    (misfit,) = BOOK.misfits(parse_document(f"title: Emma\n{text}", name="book.yaml"))

    assert misfit.finding.message == message
    assert "hunter2" not in str(misfit.finding)


@pytest.mark.parametrize("key", ["A b", "$ref", "$defs"])
def test_a_name_that_does_not_fit_is_found_at_its_place(key: str) -> None:
    """Also below a schema that is referred to, and if it is a word of schemas."""
    (misfit,) = BOOK.misfits(parse_document(f"title: Emma\nnotes:\n  ok: 1\n  {key}: 2", name="book.yaml"))

    assert (misfit.finding.message, misfit.finding.help) == (
        f"the name '{key}' does not fit",
        "write small letters",
    )
    assert misfit.finding.place == Place(file="book.yaml", line=4, column=3)


@pytest.mark.parametrize(
    ("text", "message", "help_text"),
    [
        ("{}", "the field 'version' is missing", "add `version: 1`: the number of the format"),
        ("version: 2", "`version` is 2, not 1", "`version`: the number of the format"),
    ],
)
def test_the_only_value_of_a_field_is_named(text: str, message: str, help_text: str) -> None:
    """Nobody has to look it up."""
    version = {"description": "the number of the format", "const": 1}
    shape = Shape({"required": ["version"], "properties": {"version": version}}, rule="file", root="the file")

    (misfit,) = shape.misfits(parse_document(text, name="file.yaml"))

    assert (misfit.finding.message, misfit.finding.help) == (message, help_text)


def test_a_value_of_none_of_several_types_is_found() -> None:
    """The message names all of them."""
    (misfit,) = BOOK.misfits(parse_document("title: Emma\nshelf: [a]", name="book.yaml"))

    assert misfit.finding.message == "`shelf` is ['a'], not text or a whole number"


def test_a_long_value_is_cut_between_its_quotes() -> None:
    """A quote that is never closed would read as part of the value."""
    (misfit,) = BOOK.misfits(parse_document(f"title: Emma\nnotes:\n  {'9' * 80}: 1", name="book.yaml"))
    version = Shape({"properties": {"version": {"pattern": "^a"}}}, rule="file", root="the file")
    (wrong,) = version.misfits(parse_document(f"version: {'b' * 80}", name="file.yaml"))

    assert misfit.finding.message == f"the name '{'9' * 57}…' does not fit"
    assert wrong.finding.message == f"`version` is '{'b' * 57}…', which does not fit"


def test_an_empty_text_is_called_empty() -> None:
    """Two quotes with nothing between them are easy to miss."""
    shape = Shape({"properties": {"price": {"pattern": "^[0-9]"}}}, rule="file", root="the file")
    (misfit,) = shape.misfits(parse_document("price: ''", name="file.yaml"))

    assert misfit.finding.message == "`price` is empty"


def test_all_misfits_are_told_at_once() -> None:
    """The first error does not hide the others, and each knows the node that is wrong."""
    misfits = list(BOOK.misfits(parse_document("title: ''\nkind: x\nout: y\n", name="book.yaml")))

    assert {misfit.pointer for misfit in misfits} == {("title",), ("kind",), ("out",)}


def test_a_document_that_fits_has_no_misfit() -> None:
    """Nothing is found where nothing is wrong."""
    text = "title: Emma\nkind: novel\nout: 1815-12-23\npages: [1815-12-23]\n"

    assert list(BOOK.misfits(parse_document(text, name="book.yaml"))) == []


def test_a_misfit_in_a_list_stands_at_its_item() -> None:
    """Items are places of their own."""
    text = "title: Emma\npages:\n  - 1815-12-23\n  - never\n"

    (misfit,) = BOOK.misfits(parse_document(text, name="book.yaml"))

    assert misfit.finding.place == Place(file="book.yaml", line=4, column=5)
