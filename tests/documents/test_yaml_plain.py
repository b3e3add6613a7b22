"""The plain subset of YAML: what is read line by line is what the parser reads, and records are of it."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from devportal.documents import Scalars, parse_document, to_yaml
from devportal.documents.yaml_text import load, load_plain

RECORD = """\
# Samples.
rates:
  # Active.
  - id: no-sms
    version: "2"
    network: {name: Fjord & Sønn, mcc: 242, mnc: 010}
    prefixes: [4799, '47']
    note: 'Says: "no"'

  - id: no-mms
    network:
      name: Fjord
      mnc: "010"
    restrictions:
      - Names are registered first
      - "NO: none"
    price: 0.10
"""

odd = st.one_of(
    st.sampled_from(
        [
            *(
                "x",
                "010",
                "0.10",
                "NO",
                "+47",
                "a b",
                "a:b",
                "a: b",
                "a #b",
                "a#b",
                "a ",
                "a:",
                "",
                "~",
                "-",
                "- a",
            ),
            *(
                '"a"',
                '"a: b"',
                '"a\\n"',
                "'a'",
                "'a''b'",
                '"a',
                "''",
                '""',
                "a\tb",
                "*a",
                "&a b",
                "!a b",
                "|",
                ">",
            ),
            *(
                "[a]",
                "[a, b]",
                "[a,b]",
                "[ a ]",
                "[a b, c]",
                "[]",
                "[a, ]",
                "[a",
                "[a, a:b]",
                "[a - b]",
                "[-a]",
            ),
            *(
                "{a: b}",
                "{a: b, c: d}",
                "{a: b, a: c}",
                "{a:b}",
                "{}",
                "{a: }",
                "{a: b c, d: +1}",
                "{a: 'b'}",
            ),
            *(
                "---",
                "...",
                "--- a",
                "%a",
                "?",
                "? a",
                "a\u2028b",
                "a\x85b",
                "\ufeff",
                "\ufdd0",
                "é",
                "小包",
                "=",
                "<<",
            ),
        ]
    ),
    st.text(alphabet="ab0.+:#-'\"[]{}, &*!|>%@`?é\t\\", max_size=6),
)
plain = st.one_of(
    st.sampled_from(
        ["x", "010", "+47", "a b", "a:b", "a#b", '"a: b"', "'a'", "[a, b]", "{a: b, c: d}", "é'", "no"]
    ),
    st.text(alphabet="ab0.+ :#-'/é", min_size=1, max_size=6),
)
Lines = tuple[str, ...]


def mapping(members: dict[str, str | Lines]) -> Lines:
    """Return the lines of a mapping whose members are scalars or the lines of what stands below."""
    found: list[str] = []
    for key, value in members.items():
        found += (
            [f"{key}: {value}"] if isinstance(value, str) else [f"{key}:", *(f"  {line}" for line in value)]
        )
    return tuple(found)


def listing(items: list[str | Lines]) -> Lines:
    """Return the lines of a list, as `mapping` does."""
    found: list[str] = []
    for item in items:
        first, *others = [item] if isinstance(item, str) else item
        found += [f"- {first}", *(f"  {line}" for line in others)]
    return tuple(found)


def mappings(below: st.SearchStrategy[str | Lines]) -> st.SearchStrategy[Lines]:
    """Return a strategy for the lines of mappings."""
    return st.dictionaries(st.sampled_from(["a", "b", "key_1", "NO"]), below, min_size=1, max_size=3).map(
        mapping
    )


def replace_lines(lines: Lines, position: int, line: str, replaced: int) -> Lines:
    """Return lines with another one in between, in the place of so many."""
    at = position % len(lines)
    return (*lines[:at], line, *lines[at + replaced :])


sound = mappings(
    st.recursive(
        plain,
        lambda below: st.one_of(mappings(below), st.lists(below, min_size=1, max_size=3).map(listing)),
        max_leaves=6,
    )
)
indents = st.sampled_from(["", "  ", "    ", "      ", " ", "   ", "- ", "  - ", "  -   ", "    - ", "-"])
keys = st.sampled_from(["a: ", "b: ", "a:", "key_1: ", "NO: ", "", "a:  ", "<<: ", "x-y: ", "é: "])
strange = st.one_of(
    st.builds("{}{}{}".format, indents, keys, st.one_of(plain, odd)),
    st.sampled_from(["", "  ", "# x", "    # x", "---", "...", "\t", "- a"]),
)
mixed = st.builds(replace_lines, sound, st.integers(0, 20), strange, st.integers(0, 1))
texts = st.one_of(sound, mixed, mixed, st.lists(strange, max_size=6)).map("\n".join)
words = st.text(alphabet="ab 0.+:#-'\"é\\\n", max_size=8)
records = st.recursive(
    words,
    lambda below: st.one_of(
        st.lists(below, min_size=1, max_size=3),
        st.dictionaries(st.sampled_from("abcd"), below, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


def load_with_parser(text: str) -> Any:
    """Return what the parser reads in a text; a comment with a tab makes sure that it is the parser."""
    return load(f"{text}\n#\t", Scalars.TEXT).data


@settings(max_examples=10 * settings().max_examples)
@given(texts)
@example("a: b\n  c: d\n")
@example("a:\n- b\n")
@example("a:\n  - b: c\n   d: e\n")
@example("a: b\na: c\n")
def test_what_is_read_line_by_line_is_what_the_parser_reads(text: str) -> None:
    """Of any text, sound or not: it is left to the parser, or read as the parser reads it."""
    found = load_plain(text)

    if found is not None:
        assert found == load_with_parser(text)


@settings(max_examples=3 * settings().max_examples)
@given(st.dictionaries(st.sampled_from("abcd"), records, max_size=3))
def test_what_the_toolkit_writes_is_read_as_written(data: dict[str, Any]) -> None:
    """The form of written files too is left to the parser, or read as the parser reads it."""
    found = load_plain(to_yaml(data))

    assert found is None or found == data


def test_a_file_of_records_is_of_the_subset() -> None:
    """Comments, quotes, both styles of lists and mappings, and text that is no number."""
    found = load_plain(RECORD.replace("[4799, '47']", "[4799, 47]"))

    assert found is not None
    assert found == load_with_parser(RECORD)
    assert found["rates"][0]["network"] == {"name": "Fjord & Sønn", "mcc": "242", "mnc": "010"}
    assert found["rates"][1]["price"] == "0.10"


def test_parts_that_lines_have_in_common_are_not_shared() -> None:
    """Whoever changes one record's data changes no other's."""
    found = load_plain("a: [x]\nb:\n  a: [x]\n")
    assert found is not None

    found["a"].append("y")

    assert found["b"]["a"] == ["x"]
    assert load_plain("a: [x]\n") == {"a": ["x"]}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "# nothing\n",
            "a:\n",
            "a: b\na: c\n",
            "a: b\n  c: d\n",
            "a:\n- b\n",
            "- a\n",
            "a\n",
            " a: b\n",
        ),
        *(
            "a: b\tc\n",
            "a: &x b\n",
            'a: "\\n"\n',
            "a: b # c\n",
            "a: |\n  b\n",
            "a: b\r\n",
            "a: {b: c, b: d}\n",
        ),
        *("a: \ufdd0\n", "a: \u2028\n", "\ufeffa: b\n", "a: b\n---\na: c\n", "<<: {a: b}\n", "a: \ud800\n"),
        "".join(f"{'  ' * depth}a:\n" for depth in range(30)) + "  " * 30 + "a: b\n",
    ],
)
def test_what_is_unusual_is_left_to_the_parser(text: str) -> None:
    """It knows all of YAML, and says what is wrong."""
    assert load_plain(text) is None


def test_texts_of_records_are_read_line_by_line_and_others_by_the_parser() -> None:
    """Scalars of other documents are not all text: `010` is ten there."""
    text = "a: 010\nb: {c: no}\n"

    assert parse_document(text, name="x.yaml", scalars=Scalars.TEXT).data == {"a": "010", "b": {"c": "no"}}
    assert parse_document(text, name="x.yaml").data == {"a": 10, "b": {"c": "no"}}
