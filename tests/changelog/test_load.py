"""Reading entry files."""

import string
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.changelog import (
    Amendment,
    Audience,
    Cover,
    Entry,
    Impact,
    Kind,
    Link,
    SectionName,
    load_changelog,
    newest_first,
    parse_entry,
)
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding

from .samples import BODY, entry, entry_on, file_text

NAME = "changelog/2026-03-05-a-thing.md"


def findings_of(text: str, name: str = NAME) -> tuple[Finding, ...]:
    """Return what is wrong with a file's text, which makes no entry."""
    made, findings = parse_entry(text, name=name)
    assert made is None
    return findings


def test_placeholder_of_an_audience_is_no_value_to_choose() -> None:
    """A draft may have it; what may stand in its place does not name it."""
    made, _ = parse_entry(file_text(audience=["WRITE:"]), name=NAME)
    (finding,) = findings_of(file_text(audience=["WRITE:", "rst"]))

    assert made is not None
    assert made.asks_audience
    assert finding.help.endswith("one of 'rest', 'webhooks', 'sandbox', 'sdk'")


def test_reads_every_field() -> None:
    """Each field of the front matter arrives in the entry as its type."""
    made = entry(
        effective="2026-04-01",
        sunset="2026-09-01",
        impact="deprecation",
        kind="deprecated",
        action_required=True,
        audience=["rest", "sdk"],
        covers=[{"operation": "GET /x", "field": "a.b", "rule": "r"}],
        deprecates=["a"],
        replaces=["b"],
        links=[{"title": "T", "url": "../x.md"}],
        amended=[{"date": "2026-03-06", "note": "n"}],
        spec_from="1.0",
        spec_to="1.10",
    )

    assert (made.date, made.effective, made.sunset) == (date(2026, 3, 5), date(2026, 4, 1), date(2026, 9, 1))
    assert (made.impact, made.kind, made.action_required) == (Impact.DEPRECATION, Kind.DEPRECATED, True)
    assert made.audience == (Audience.REST, Audience.SDK)
    assert made.covers == (Cover(operation="GET /x", field="a.b", rule="r"),)
    assert (made.deprecates, made.replaces) == (("a",), ("b",))
    assert made.links == (Link(title="T", url="../x.md"),)
    assert made.amended == (Amendment(date=date(2026, 3, 6), note="n"),)
    assert (made.spec_from, made.spec_to, made.live) == ("1.0", "1.10", date(2026, 4, 1))


def test_entry_without_date_is_a_finding_with_place_and_help() -> None:
    """The message says what is missing, where the front matter stands, and what to write."""
    (finding,) = findings_of(file_text(date=None))

    assert finding.place == Place(file=NAME, line=2, column=1)
    assert finding.message == "the field 'date' is missing"
    assert finding.help is not None
    assert finding.help.startswith("add `date`: ")
    assert "`YYYY-MM-DD`" in finding.help


@pytest.mark.parametrize(
    ("fields", "line", "message"),
    [
        ({"date": "20260305"}, 4, "`date` is '20260305', which is not a valid date"),
        ({"date": "2026-02-30"}, 4, "`date` is '2026-02-30', which is not a valid date"),
        ({"title": 404}, 3, "`title` is 404, not text"),
        ({"title": ""}, 3, "`title` is empty"),
        ({"title": "x" * 121}, 3, "`title` has 121 characters, more than 120"),
        ({"impact": "huge"}, 7, "`impact` is 'huge', which is none of its values"),
        ({"apis": "Messages"}, 5, "`apis` is 'Messages', not a list"),
        ({"apis": []}, 5, "`apis` is empty"),
        ({"apis": ["A", "A"]}, 5, "`apis` says something twice: ['A', 'A']"),
        ({"action_required": "yes"}, 9, "`action_required` is 'yes', not true or false"),
        ({"amend": []}, 10, "the field 'amend' is not known here"),
        ({"links": [{"title": "x", "url": "data:x"}]}, 12, "`links.0.url` is 'data:x', which does not fit"),
        (
            {"amended": [{"date": "soon", "note": "x"}]},
            11,
            "`amended.0.date` is 'soon', which is not a valid date",
        ),
        ({"covers": [{"operations": "x"}]}, 11, "the field 'operations' is not known here"),
        ({"title": "bell \a"}, 3, "`title` has the control character U+0007"),
    ],
)
def test_wrong_field_is_a_finding_at_its_line(fields: dict[str, object], line: int, message: str) -> None:
    """A value that does not fit is quoted at the line of its key."""
    findings = findings_of(file_text(**fields))

    assert any(found.place.line == line and found.message.startswith(message) for found in findings), findings
    assert all(found.help for found in findings)


def test_all_faults_of_a_file_are_found_at_once() -> None:
    """Front matter and body are both read to their end."""
    findings = findings_of(file_text("## News\n\nx\n", date="soon", impact="huge", kind=None, colour="red"))

    assert {found.message for found in findings} == {
        "`date` is 'soon', which is not a valid date",
        "`impact` is 'huge', which is none of its values",
        "the field 'kind' is missing",
        "the field 'colour' is not known here",
        "'News' is not a section of an entry",
        "the section `## What changed` is missing",
        "the section `## Who is affected` is missing",
    }


def test_unknown_key_suggests_the_one_meant() -> None:
    """A typing error is met with the key that is closest."""
    (finding,) = findings_of(file_text(sunsett="2026-09-01"))

    assert finding.help == "did you mean `sunset`?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this file has no front matter"),
        ("# Title\n", "this file has no front matter"),
        ("---\ntitle: x\n", "the front matter has no end"),
        ("---\ntitle: [\n---\n", "this is not YAML: "),
        ("---\ntitle: a\ntitle: b\n---\n", "the key 'title' occurs twice in this mapping"),
        ("---\n---\n" + BODY, "the front matter is empty, not a mapping"),
        ("---\n- a\n---\n" + BODY, "the front matter is ['a'], not a mapping"),
    ],
)
def test_unreadable_front_matter_is_a_finding(text: str, message: str) -> None:
    """A file without readable front matter names its place and says what to do."""
    (finding,) = findings_of(text)

    assert finding.message.startswith(message)
    assert finding.place.file == NAME
    assert finding.place.line >= 1


def test_windows_line_ends_are_read_alike() -> None:
    """CRLF changes neither the sections nor their places."""
    made, findings = parse_entry(file_text().replace("\n", "\r\n"), name=NAME)

    assert findings == ()
    assert made == entry()


def test_id_is_the_name_of_the_file() -> None:
    """An entry whose id differs from its file's stem would move its page."""
    (finding,) = findings_of(file_text(), name="changelog/2026-03-05-other.md")

    assert finding.message == "`id` is '2026-03-05-a-thing', but the file is '2026-03-05-other.md'"


def test_id_begins_with_the_date() -> None:
    """The day in the id is part of the guid, so that it has to be the entry's."""
    (finding,) = findings_of(file_text(date="2026-03-06"))

    assert finding.message == "`date` is '2026-03-06', but `id` begins with '2026-03-05'"


WHAT, WHO, MOVE = "## What changed\n\nx\n\n", "## Who is affected\n\nx\n\n", "## Migration\n\nx\n\n"


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("Hello\n\n" + WHAT + WHO, 12, "'Hello' stands before the first heading"),
        (WHAT + WHO + "# Migration\n\nx\n", 20, "'Migration' is not a section of an entry"),
        (WHAT + WHO + WHO, 20, "the section `## Who is affected` occurs twice"),
        (WHO + WHAT, 16, "the section `## What changed` stands too late"),
        (WHAT + WHO + "## Migration\n", 20, "the section `## Migration` is empty"),
        (WHAT, 11, "the section `## Who is affected` is missing"),
        (WHAT + WHO + "bell \a\n", 20, "the control character U+0007 stands here"),
        (
            WHAT + WHO + "<p>bell &#7;</p>\n",
            16,
            "the section `## Who is affected` writes a control character",
        ),
    ],
)
def test_wrong_body_is_a_finding_at_its_line(body: str, line: int, message: str) -> None:
    """Headings and characters that do not fit are named with their line in the file."""
    findings = findings_of(file_text(body))

    assert [(found.place.line, found.message.startswith(message)) for found in findings] == [(line, True)]


def test_headings_in_code_cut_nothing() -> None:
    """A `##` inside of a fence is text of its section."""
    made = entry("## What changed\n\n```\n## Migration\n```\n\n" + WHO)

    assert [section.name for section in made.sections] == [SectionName.WHAT, SectionName.WHO]
    assert made.sections[0].text == "```\n## Migration\n```"


def test_places_point_into_the_file() -> None:
    """Fields and sections know their line, for findings that come later."""
    made = entry(WHAT + WHO)

    assert made.place("apis", "0") == Place(file=NAME, line=6, column=3)
    assert [section.place.line for section in made.sections] == [12, 16]


def test_folder_gives_its_entries_newest_first_and_all_findings(tmp_path: Path) -> None:
    """Right entries are loaded beside wrong files, and nothing is left out in silence."""
    for day in ("2026-03-05", "2026-04-05"):
        text = file_text(id=f"{day}-a-thing", date=day)
        (tmp_path / f"{day}-a-thing.md").write_text(text, encoding="utf-8")
    (tmp_path / "2026-05-05-undated.md").write_text(file_text(date=None), encoding="utf-8")
    (tmp_path / "2026-06-06-latin.md").write_bytes(b"---\n\xe9\n---\n")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "2026").mkdir()
    (tmp_path / ".hidden").write_text("x", encoding="utf-8")

    entries, findings = load_changelog(tmp_path, name="changelog")

    assert [item.id for item in entries] == ["2026-04-05-a-thing", "2026-03-05-a-thing"]
    assert [(found.place.file, found.rule) for found in findings] == [
        ("changelog/2026", "changelog-file"),
        ("changelog/2026-05-05-undated.md", "changelog-front-matter"),
        ("changelog/2026-06-06-latin.md", "changelog-unreadable"),
        ("changelog/notes.txt", "changelog-file"),
    ]


def test_a_link_is_no_entry(tmp_path: Path) -> None:
    """Nothing of what it leads to is quoted."""
    (tmp_path / "secret").write_text("hunter2", encoding="utf-8")
    (tmp_path / "changelog").mkdir()
    (tmp_path / "changelog" / "2026-03-05-a-thing.md").symlink_to(tmp_path / "secret")

    entries, (found,) = load_changelog(tmp_path / "changelog", name="changelog")

    assert (entries, found.rule) == ((), "changelog-file")
    assert "hunter2" not in str(found)


def test_folder_that_is_missing_stops(tmp_path: Path) -> None:
    """A folder that cannot be listed is no empty changelog."""
    with pytest.raises(UnreadableInput, match="the folder of the changelog cannot be read"):
        load_changelog(tmp_path / "absent", name="changelog")


SLUGS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=12)
DAYS = st.dates(date(1000, 1, 1), date(9999, 12, 31))
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn", "Zl", "Zp"]), min_size=1).filter(
    lambda text: bool(text.strip())
)
TITLES = TEXTS.map(str.strip).filter(lambda text: 0 < len(text) <= 120)


@given(
    day=DAYS,
    slug=SLUGS,
    title=TITLES,
    apis=st.lists(TEXTS, min_size=1, max_size=4, unique=True),
    impact=st.sampled_from(Impact),
    kind=st.sampled_from(Kind),
    required=st.booleans(),
    effective=st.none() | DAYS,
    audience=st.lists(st.sampled_from(Audience), unique=True),
    notes=st.lists(st.tuples(DAYS, TEXTS), max_size=2),
)
def test_front_matter_survives_writing_and_reading(
    day: date,
    slug: str,
    title: str,
    apis: list[str],
    impact: Impact,
    kind: Kind,
    required: bool,  # noqa: FBT001 - a value of Hypothesis
    effective: date | None,
    audience: list[Audience],
    notes: list[tuple[date, str]],
) -> None:
    """What YAML writes, whatever the text, comes back as the same values."""
    made = entry(
        id=f"{day}-{slug}",
        title=title,
        date=str(day),
        apis=apis,
        impact=impact.value,
        kind=kind.value,
        action_required=required,
        effective=str(effective) if effective else None,
        audience=[other_audience.value for other_audience in audience],
        amended=[{"date": str(when), "note": note} for when, note in notes] or None,
    )

    assert (made.id, made.title, made.date, made.apis) == (f"{day}-{slug}", title, day, tuple(apis))
    assert (made.impact, made.kind, made.action_required) == (impact, kind, required)
    assert (made.effective, made.audience) == (effective, tuple(audience))
    assert [(amendment.date, amendment.note) for amendment in made.amended] == notes


@given(st.lists(st.tuples(DAYS, SLUGS), unique=True, max_size=6).flatmap(st.permutations))
def test_order_does_not_depend_on_the_order_of_files(days: list[tuple[date, str]]) -> None:
    """The newest is first, and one day's entries always stand in the same order."""
    entries: list[Entry] = [entry_on(day, slug) for day, slug in days]

    ordered = newest_first(entries)

    assert ordered == newest_first(reversed(entries))
    assert [item.date for item in ordered] == sorted((day for day, _ in days), reverse=True)
