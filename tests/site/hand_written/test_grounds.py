"""What a contract names as source or decision is found on the site, and what is not there is told."""

from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Contract, load_contract
from devportal.errors import InvalidSettings
from devportal.site.commands.check import check_project
from devportal.site.hand_written.grounds import find_documented_grounds, markdown_anchors
from tests.site.building import CONTRACT, built_project, write_contract, write_project

SERVICE = """\
# Service

## Limits

1. So many a second.
   { #limits-1 }

```markdown
## Not a heading { #limits-9 }
```
"""
DECISIONS = "decisions/{number}-*.md"


@pytest.fixture
def docs(folder: Path) -> Path:
    """Return a folder of pages: a description of a service, and one decision."""
    (folder / "docs" / "about").mkdir(parents=True)
    (folder / "docs" / "decisions").mkdir()
    (folder / "docs" / "about" / "service.md").write_text(SERVICE, encoding="utf-8")
    (folder / "docs" / "decisions" / "0007-size.md").write_text("# Size\n", encoding="utf-8")
    return folder / "docs"


def contract_with(path: Path, **marks: Any) -> Contract:
    """Return a contract whose only operation has these marks."""
    operation = {**CONTRACT["paths"]["/parcels/{id}"]["get"], **marks}
    write_contract(path, {**CONTRACT, "paths": {"/parcels/{id}": {"get": operation}}})
    return load_contract(path, name=path.name)


def test_what_is_described_has_a_place(docs: Path) -> None:
    """A source has an anchor on its page, be it a heading's; a decision has a file."""
    contract = contract_with(
        docs.parent / "openapi.yaml", **{"x-source": ["Limits", "Limits 1"], "x-decision": "0007"}
    )

    found = find_documented_grounds(contract, docs, sources="about/service.md", decisions=DECISIONS)

    assert found.pages.sources == {
        "Limits": "about/service.md#limits", "Limits 1": "about/service.md#limits-1",
    }  # fmt: skip
    assert found.pages.decisions == {"0007": "decisions/0007-size.md"}
    assert found.findings == ()


def test_what_nothing_describes_is_found_once(docs: Path) -> None:
    """At the first place that names it; what is only code on the page describes nothing."""
    contract = contract_with(
        docs.parent / "openapi.yaml",
        **{"x-source": ["Limits 9"], "x-decision": ["0007", "0017", "../x"], "parameters": []},
        responses={"200": {"description": "Good", "x-source": "Limits 9"}},
    )

    found = find_documented_grounds(contract, docs, sources="about/service.md", decisions=DECISIONS)

    assert [(finding.rule, finding.message) for finding in found.findings] == [
        (
            "contract-grounds",
            "'about/service.md' has no place that is called 'Limits 9' (2 times, here first)",
        ),
        ("contract-grounds", "the decision '0017' has no record in 'decisions/{number}-*.md'"),
        ("contract-grounds", "the decision '../x' has no record in 'decisions/{number}-*.md'"),
    ]
    assert [finding.place.line > 0 for finding in found.findings] == [True] * 3


def test_what_is_not_asked_for_is_not_looked_up(docs: Path) -> None:
    """Names without a page stay plain words."""
    contract = contract_with(docs.parent / "openapi.yaml", **{"x-source": "Limits 9", "x-decision": "0017"})

    found = find_documented_grounds(contract, docs, sources="", decisions="")

    assert (dict(found.pages.sources), dict(found.pages.decisions), found.findings) == ({}, {}, ())


def test_a_page_of_sources_that_is_not_there_is_no_setting(docs: Path) -> None:
    """The name of the page is quoted."""
    contract = contract_with(docs.parent / "openapi.yaml", **{"x-source": "Limits 1"})

    with pytest.raises(InvalidSettings, match=r"'about/other\.md'"):
        find_documented_grounds(contract, docs, sources="about/other.md", decisions="")


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("# One two #\n", {"one-two"}),
        ("# One { #first }\n", {"first"}),
        ("- item\n  { .dp-lead #second }\n", {"second"}),
        ("~~~\n# code\n~~~\n", set()),
    ],
)
def test_anchors_of_a_page(text: str, anchors: set[str]) -> None:
    """Those it gives itself win over that of the heading."""
    assert markdown_anchors(text) == anchors


def test_project_links_what_its_contract_rests_on(docs: Path) -> None:
    """On the page of the operation, and nothing is found wrong."""
    folder = docs.parent
    settings = {"sources": "about/service.md", "decisions": DECISIONS}
    config = write_project(folder, plugin=settings, markdown_extensions=["attr_list"])
    contract_with(folder / "openapi.yaml", **{"x-source": "Limits 1", "x-decision": "0007"})

    built_project(config, folder / "site")

    page = (folder / "site/reference/parcels/get-parcel/index.html").read_text(encoding="utf-8")
    service = (folder / "site/about/service/index.html").read_text(encoding="utf-8")
    assert 'href="../../../about/service/#limits-1"' in page
    assert 'href="../../../decisions/0007-size/"' in page
    assert '<li id="limits-1">' in service
    assert [
        finding for finding in check_project(config).all_findings() if finding.rule == "contract-grounds"
    ] == []


def test_a_new_place_is_linked_in_the_next_build(docs: Path) -> None:
    """What was rendered without the link is rendered again, though the contract is the same."""
    folder = docs.parent
    config = write_project(folder, plugin={"sources": "about/service.md"}, markdown_extensions=["attr_list"])
    contract_with(folder / "openapi.yaml", **{"x-source": "Limits 2"})
    page = folder / "site/reference/parcels/get-parcel/index.html"
    built_project(config, folder / "site")
    before = page.read_text(encoding="utf-8")
    (docs / "about" / "service.md").write_text(f"{SERVICE}\n## More {{ #limits-2 }}\n", encoding="utf-8")

    built_project(config, folder / "site")

    assert "#limits-2" not in before
    assert "#limits-2" in page.read_text(encoding="utf-8")
