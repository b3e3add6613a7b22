"""Files: encodings, sizes, what cannot be read, and the lines of text cut out of a larger file."""

import os
from pathlib import Path

import pytest

from devportal.documents import parse_document, read_document, read_text
from devportal.documents.document import MAX_BYTES
from devportal.errors import UnreadableInput
from tests.corpus import corpus_file, each_contract


def _refusal(path: Path) -> UnreadableInput:
    with pytest.raises(UnreadableInput) as raised:
        read_document(path, name=path.name)
    return raised.value


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_a_byte_order_mark_is_left_out(tmp_path: Path, name: str) -> None:
    """Files from Windows start with one; columns count without it."""
    (tmp_path / name).write_bytes(b'\xef\xbb\xbf{"a": 1}')

    document = read_document(tmp_path / name, name=name)

    assert document.data == {"a": 1}
    assert str(document.place(("a",))) == f"{name}:1:2"


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("a: ü".encode("latin-1"), "a.yaml:1:4", "this file is not UTF-8 text: it has the byte 0xfc here"),
        (
            "\N{BYTE ORDER MARK}b: ä\r\na: ".encode() + b"\xfc",
            "a.yaml:2:4",
            "this file is not UTF-8 text: it has the byte 0xfc here",
        ),
        ("a: 1".encode("utf-16"), "a.yaml", "this file is UTF-16 text, not UTF-8"),
        ("a: 1".encode("utf-16-le"), "a.yaml", "this file is UTF-16 text, not UTF-8"),
        ("a: 1".encode("utf-16-be"), "a.yaml", "this file is UTF-16 text, not UTF-8"),
        ("a: 1".encode("utf-32"), "a.yaml", "this file is UTF-32 text, not UTF-8"),
        (b"\x89PNG\r\n", "a.yaml:1:1", "this file is not UTF-8 text: it has the byte 0x89 here"),
        (b"\xed\xa0\x80", "a.yaml:1:1", "this file is not UTF-8 text: it has the byte 0xed here"),
    ],
)
def test_other_encodings_are_refused(tmp_path: Path, content: bytes, place: str, message: str) -> None:
    """Text is UTF-8; the message names the first byte that is not, or the encoding that a byte order mark names."""
    (tmp_path / "a.yaml").write_bytes(content)

    refusal = _refusal(tmp_path / "a.yaml")

    assert refusal.message == message
    assert str(refusal) == f"{place}: {message}\n  help: save it as UTF-8"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The message names the file and what the system says."""
    refusal = _refusal(tmp_path / "none.yaml")

    assert str(refusal).startswith("none.yaml: this file cannot be read: No such file or directory")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """The message says what it is, since its permissions are right."""
    refusal = _refusal(tmp_path)

    assert (refusal.message, refusal.help) == ("this is a folder, not a file", "give the path of a file")


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    """Size is looked at before anything is read."""
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        os.truncate(file.fileno(), MAX_BYTES + 1)

    refusal = _refusal(path)

    assert refusal.message == "this file has 67,108,865 bytes, more than 67,108,864"


def test_an_empty_file_has_no_data(tmp_path: Path) -> None:
    """An empty YAML file is an empty document."""
    (tmp_path / "a.yaml").write_bytes(b"")

    assert read_document(tmp_path / "a.yaml").data is None
    assert read_text(tmp_path / "a.yaml", name="a.yaml") == ""


def test_places_count_from_the_line_where_a_text_was_cut_out() -> None:
    """Front matter of a Markdown file starts at its second line."""
    document = parse_document("title: x\ndate: y", name="entry.md", first_line=2)
    with pytest.raises(UnreadableInput) as raised:
        parse_document("a: 1\na: 2", name="entry.md", first_line=2)

    assert str(document.place(("date",))) == "entry.md:3:1"
    assert str(raised.value.place) == "entry.md:3:1"


@pytest.mark.corpus
@each_contract
def test_no_file_of_the_corpus_is_refused(name: str) -> None:
    """Every OpenAPI file of others parses, and the place of its `info` is found."""
    document = read_document(corpus_file(name))

    assert document.place(("info",)).line > 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "a: 1\nb: 2\na: 3\n"),
        ("a.json", '{"a": 1,\n "b": 2,\n"a": 3}'),
        ("a", '{"a": 1,\n "b": 2,\n"a": 3}'),
    ],
)
def test_a_repeated_key_counts_as_last_written_if_it_is_allowed(name: str, text: str) -> None:
    """The data has the last value, whose place is that of the key; otherwise the document is refused."""
    document = parse_document(text, name=name, allow_repeated_keys=True)

    assert document.data == {"a": 3, "b": 2}
    assert [
        (repeated_key.name, repeated_key.line, repeated_key.column) for repeated_key in document.repeated_keys
    ] == [("a", 3, 1)]
    assert document.place(("a",)).line == 3
    with pytest.raises(UnreadableInput, match="the key 'a' occurs twice"):
        parse_document(text, name=name)


def test_a_repeated_key_is_reported_once_in_text_that_is_almost_json() -> None:
    """The number is too large for JSON, so the text is read as YAML too."""
    document = parse_document('{"a": 1, "a": 1e999}', name="a", allow_repeated_keys=True)

    assert [
        (repeated_key.name, repeated_key.line, repeated_key.column) for repeated_key in document.repeated_keys
    ] == [("a", 1, 10)]


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_a_conflict_that_git_left_is_named(name: str) -> None:
    """At its first line, in place of what YAML and JSON make of it."""
    text = '{"a": 1,\n<<<<<<< HEAD\n"b": 2\n=======\n"b": 3\n>>>>>>> other\n}\n'

    with pytest.raises(UnreadableInput, match=f"^{name}:2:1: git left a conflict here\n  help: resolve"):
        parse_document(text, name=name)


def test_a_text_about_conflicts_is_text() -> None:
    """Only what does not parse is a conflict."""
    text = "a: |\n  x\n<<<<<<< HEAD: 1\n"

    assert parse_document(text, name="a.yaml").data == {"a": "x\n", "<<<<<<< HEAD": 1}


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_a_pointer_of_git_lfs_is_named(name: str) -> None:
    """It is what a clone without Git LFS has in place of a large file."""
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"

    with pytest.raises(
        UnreadableInput, match=r"1:1: this is a pointer of Git LFS.*\n  help: run 'git lfs pull'"
    ):
        parse_document(text, name=name)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!DOCTYPE html>\n<title>Log in</title>", "HTML"),
        ("\n<html lang=en><p>a: b", "HTML"),
        ('<?xml version="1.0"?><a/>', "XML"),
    ],
)
@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_markup_is_named(name: str, text: str, kind: str) -> None:
    """A server may have sent a page that asks for a login."""
    with pytest.raises(
        UnreadableInput,
        match=f"^{name}:1:1: this is {kind}, not YAML or JSON\n  help: give a YAML or JSON file",
    ):
        parse_document(text, name=name)


def test_text_that_begins_as_markup_may_be_yaml() -> None:
    """A key may begin with `<`."""
    assert parse_document("<b>: 1", name="a.yaml").data == {"<b>": 1}


@pytest.mark.parametrize(
    ("written", "help_text"),
    [
        ("openapi.yml", "did you mean 'openapi.yaml', in the same folder?"),
        ("OpenAPI.yaml", "did you mean 'openapi.yaml', in the same folder?"),
        ("openapi.json", "did you mean 'openapi.yaml', in the same folder?"),
        ("opnapi.yaml", "did you mean 'openapi.yaml', in the same folder?"),
        ("apis\\a.yaml", "write / between the names of folders, not \\"),
        ("other.yaml", "check the path and its permissions"),
        ("openapi2.yaml", "check the path and its permissions"),
        ("gone/openapi.yaml", "check the path and its permissions"),
    ],
)
def test_a_file_that_is_likely_meant_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, help_text: str
) -> None:
    """By its name alone: a message has no folder that nobody wrote."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "apis").mkdir()
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    for name in ("openapi.yaml", "apis/a.yaml"):
        (tmp_path / name).write_text("a: 1", encoding="utf-8")

    with pytest.raises(UnreadableInput) as refused:
        read_document(Path(written))

    assert refused.value.help == help_text


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x1f\x8b\x08\x00", "compressed with gzip"),
        (b"PK\x03\x04a", "a ZIP archive"),
        (b"%PDF-1.4\n", "a PDF"),
    ],
)
def test_a_file_of_another_format_is_named(tmp_path: Path, content: bytes, kind: str) -> None:
    """To save it as UTF-8 would be no use."""
    (tmp_path / "a.yaml").write_bytes(content)

    with pytest.raises(UnreadableInput, match=f"this file is {kind}.*, not text\n  help: (unpack|export)"):
        read_document(tmp_path / "a.yaml")


@pytest.mark.parametrize(
    "text", ['{"a":1,"a":2}', "[NaN]", "[1e400]", "1" * 301, '["\\ud800"]', "[" * 200 + "]" * 200]
)
def test_what_json_lacks_has_advice(text: str) -> None:
    """What to write in place of it."""
    with pytest.raises(UnreadableInput) as refused:
        parse_document(text, name="a.json")

    assert refused.value.help
