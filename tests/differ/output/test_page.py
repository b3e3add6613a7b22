"""The page about comparing contracts: what it shows is what happens."""

from dataclasses import replace

from devportal.contract import load_contract
from devportal.differ.output import ComparedContracts
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document
from devportal.reporting import Format
from tests.house.repository import ROOT, fenced_blocks

from .comparing import CONTRACTS, diff_of, small_with_witnesses, write_diff

PAGE = "docs/toolkit/diff.md"


def test_output_is_the_beginning_of_what_is_told() -> None:
    """For the small pair, under the names that the page gives the files."""
    shown, _ = fenced_blocks(PAGE, "text")
    old, new = (
        load_contract(CONTRACTS / file, name=name)
        for file, name in (("old.yaml", "released.yaml"), ("new.yaml", "openapi.yaml"))
    )

    assert write_diff(diff_of(ComparedContracts(old=old, new=new)), Format.TEXT).startswith(shown)


def test_witness_is_shown_as_the_page_shows_it() -> None:
    """In the text for terminals."""
    _, shown = fenced_blocks(PAGE, "text")

    assert shown in write_diff(small_with_witnesses(), Format.TEXT)


def test_policy_can_be_used() -> None:
    """Each line of it is understood, and says something."""
    written, *_ = fenced_blocks(PAGE, "yaml")
    policy, findings = parse_policy(parse_document(written, name="diff-policy.yaml"))

    assert findings == ()
    assert policy.levels
    assert policy.acknowledged
    assert replace(policy, levels={}, acknowledged={}) != type(policy)()


def test_every_format_is_described() -> None:
    """In the table of formats, in the order of the help."""
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    _, _, table = page.partition("| format | what it is for |\n|---|---|\n")
    rows = table.partition("\n\n")[0].splitlines()

    assert [row.split("`")[1] for row in rows] == list(Format)
