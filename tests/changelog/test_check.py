"""The rules of the changelog."""

from datetime import date

import pytest

from devportal.changelog import check_changelog
from devportal.findings import Level

from .samples import BODY, MIGRATION, entry

TODAY = date(2026, 11, 21)
BREAKING = {"impact": "breaking", "kind": "changed", "action_required": True, "effective": "2026-04-01"}
DEPRECATION = {"impact": "deprecation", "kind": "deprecated", "effective": "2026-04-01"}


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (BODY, {}),
        (MIGRATION, BREAKING),
        (BODY, DEPRECATION | {"sunset": "2026-04-02"}),
        (BODY, {"effective": "2026-03-05"}),
        (BODY, {"date": str(TODAY), "id": f"{TODAY}-a-thing"}),
        (BODY, {"amended": [{"date": "2026-03-05", "note": "n"}]}),
    ],
)
def test_right_entries_raise_nothing(body: str, fields: dict[str, object]) -> None:
    """Entries at the edge of each rule keep it."""
    findings = list(check_changelog([entry(body, **fields)], today=TODAY, apis={"Messages"}))

    assert findings == []


@pytest.mark.parametrize(
    ("body", "fields", "rule", "line", "message"),
    [
        (
            BODY,
            {"date": "2026-11-22", "id": "2026-11-22-a-thing"},
            "changelog-date",
            4,
            "`date` is 2026-11-22, which is after today, 2026-11-21",
        ),
        (BODY, {"apis": ["Messages", "Voice"]}, "changelog-api", 7, "'Voice' is not an API of the contract"),
        (
            BODY,
            BREAKING,
            "changelog-migration",
            7,
            "this entry is breaking and has no section `## Migration`",
        ),
        (
            BODY,
            {"action_required": True},
            "changelog-migration",
            9,
            "this entry is one that requires action and has no section `## Migration`",
        ),
        (
            MIGRATION,
            BREAKING | {"effective": None},
            "changelog-breaking",
            7,
            "this entry is breaking and has no `effective`",
        ),
        (
            MIGRATION,
            BREAKING | {"action_required": False},
            "changelog-breaking",
            9,
            "this entry is breaking, but `action_required` is not true",
        ),
        (
            BODY,
            DEPRECATION | {"sunset": "2026-04-01"},
            "changelog-sunset",
            11,
            "`sunset` is 2026-04-01, not after the day the deprecation is live, 2026-04-01",
        ),
        (
            BODY,
            {"sunset": "2026-09-01"},
            "changelog-sunset",
            10,
            "`sunset` is 2026-09-01, but the impact additive takes nothing away",
        ),
        (
            MIGRATION,
            BREAKING | {"effective": "2026-03-04"},
            "changelog-effective",
            10,
            "`effective` is 2026-03-04, before the entry's `date`, 2026-03-05",
        ),
        (
            BODY,
            {"kind": "deprecated"},
            "changelog-kind",
            8,
            "`kind` is 'deprecated' while `impact` is 'additive'",
        ),
        (
            BODY,
            {"impact": "deprecation"},
            "changelog-kind",
            8,
            "`kind` is 'added' while `impact` is 'deprecation'",
        ),
        (
            BODY,
            {"amended": [{"date": "2026-03-04", "note": "n"}]},
            "changelog-date",
            11,
            "the correction's date is 2026-03-04, before the entry's own, 2026-03-05",
        ),
        (
            BODY,
            {"amended": [{"date": "2026-11-22", "note": "n"}]},
            "changelog-date",
            11,
            "the correction's date is 2026-11-22, which is after today, 2026-11-21",
        ),
    ],
)
def test_broken_rule_is_one_error_at_its_line(
    body: str, fields: dict[str, object], rule: str, line: int, message: str
) -> None:
    """Each broken rule is an error at the field that breaks it, with what to do."""
    (finding,) = check_changelog([entry(body, **fields)], today=TODAY, apis={"Messages"})

    assert (finding.rule, finding.place.line, finding.message) == (rule, line, message)
    assert finding.level is Level.ERROR
    assert finding.help


def test_harmless_change_told_afterwards_is_a_warning() -> None:
    """A fix may be live before it is told."""
    told = entry(impact="fix", kind="fixed", effective="2026-03-01")

    (finding,) = check_changelog([told], today=TODAY, apis={"Messages"})

    assert (finding.rule, finding.level) == ("changelog-effective", Level.WARNING)


def test_unknown_api_lists_those_there_are() -> None:
    """The help names the closed set."""
    (finding,) = check_changelog([entry(apis=["Voice"])], today=TODAY, apis=["Numbers", "Messages"])

    assert finding.help == "use the contract's tags: Messages, Numbers"


def test_misspelt_api_suggests_the_one_that_is_meant() -> None:
    """A contract may have dozens of tags."""
    (finding,) = check_changelog([entry(apis=["Mesages"])], today=TODAY, apis=["Numbers", "Messages"])

    assert finding.help == "did you mean 'Messages'?"


def test_id_of_two_entries_is_an_error_at_both() -> None:
    """Two entries of one id would share a page and a guid."""
    findings = list(check_changelog([entry(), entry(title="Other")], today=TODAY, apis={"Messages"}))

    assert [found.rule for found in findings] == ["changelog-id", "changelog-id"]
    assert findings[0].message == "the id '2026-03-05-a-thing' belongs to 2 entries"


@pytest.mark.parametrize(
    "nothing", ["<!-- later -->", ".", "[](x)", "&nbsp;", "---", "[a]: https://a.example"]
)
def test_section_that_reads_as_nothing_is_empty(nothing: str) -> None:
    """What counts is what somebody reads: markup without a word in it tells nobody anything."""
    written = entry(BODY.replace("Nobody.", nothing))

    (found,) = check_changelog([written], today=TODAY, apis={"Messages"})

    assert (found.rule, found.level) == ("changelog-prose", Level.ERROR)
    assert "`## Who is affected`" in found.message


@pytest.mark.parametrize(
    "line", ["WRITE: who", "- WRITE: who", "> WRITE: who", "  1. WRITE: who", "> * **WRITE:** x"]
)
def test_what_a_draft_asks_for_has_to_be_written(line: str) -> None:
    """A line that asks is found behind the marks of lists and quotes, too."""
    written = entry(BODY.replace("Nobody.", f"Somebody.\n\n{line}"))

    (found,) = check_changelog([written], today=TODAY, apis={"Messages"})

    assert (found.rule, line.strip() in found.message) == ("changelog-prose", True)


def test_word_write_in_a_sentence_is_prose() -> None:
    """Only what a line begins with asks for something."""
    written = entry(BODY.replace("Nobody.", "The scope is called WRITE: it lets you send."))

    assert list(check_changelog([written], today=TODAY, apis={"Messages"})) == []


@pytest.mark.parametrize("impact", ["breaking", "risky", "deprecation"])
def test_what_may_hurt_is_announced_before_it_is_live(impact: str) -> None:
    """Each grave impact is an error where a fix would be a warning."""
    kind = "deprecated" if impact == "deprecation" else "changed"
    told = entry(MIGRATION, impact=impact, kind=kind, action_required=True, effective="2026-03-01")

    (finding,) = check_changelog([told], today=TODAY, apis={"Messages"})

    assert (finding.rule, finding.level) == ("changelog-effective", Level.ERROR)
