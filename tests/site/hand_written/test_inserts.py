"""Inserts: parts of the contract on pages that people write."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.errors import EnvironmentProblem, Place, UnreadableInput
from devportal.findings import Level
from devportal.markup.page import InsertProblem
from devportal.project.settings import Settings
from devportal.site.commands.build import BuildResult, build_project
from devportal.site.commands.check import check_project
from devportal.site.hand_written.inserting import InsertReplacer, insert_problems
from devportal.site.hand_written.inserts import InsertResult, Inserts
from tests.plugging import write_plugin
from tests.reference.reading import api_from
from tests.site.building import ROOT, Tags, built_project, contents, write_contract, write_project

ANSWERS = {"200": {"description": "Fine."}}
CONTRACT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Parcels", "version": "1"},
    "security": [{"token": ["parcels.read"]}],
    "paths": {
        "/parcels": {
            "get": {
                "operationId": "list",
                "summary": "List | all",
                "tags": ["Our parcels"],
                "responses": ANSWERS,
            }
        },
        "/depots": {
            "get": {
                "operationId": "depots",
                "tags": ["Depots"],
                "security": [],
                "x-stability-level": "beta",
                "responses": ANSWERS,
            }
        },
    },
    "webhooks": {"moved": {"post": {"summary": "It moved", "tags": ["Our parcels"], "responses": ANSWERS}}},
    "x-problem-types": [
        {"type": "https://p.example/gone", "title": "Gone", "status": 404, "description": "It *was* here."},
        {"type": "https://p.example/heavy", "title": "Heavy", "status": 422, "description": "Over 30 kg."},
    ],
    "components": {
        "securitySchemes": {
            "token": {
                "type": "oauth2",
                "flows": {
                    "clientCredentials": {
                        "tokenUrl": "https://p.example/token",
                        "scopes": {"parcels.read": "See parcels.", "parcels.write": "Send parcels."},
                    }
                },
            }
        },
        "schemas": {
            "State": {
                "type": "string",
                "enum": ["packed", "sent"],
                "x-state-machine": {
                    "initial": ["packed"],
                    "transitions": [
                        {"from": "packed", "to": "sent", "on": "a van takes it", "event": "moved"}
                    ],
                },
            },
            "Other": {"type": "string", "enum": ["x"]},
        },
    },
}


def make_insert(
    *words: str, document: dict[str, Any] = CONTRACT, plugins: tuple[str, ...] = ()
) -> InsertResult | InsertProblem:
    """Return the insert of these words on a page of guides."""
    inserts = Inserts(api_from(document), Settings(plugins=plugins))
    return inserts.make_insert(words, source="guides/page.md", anchor="insert-1")


def markdown(*words: str, document: dict[str, Any] = CONTRACT, plugins: tuple[str, ...] = ()) -> str:
    """Return an insert as Markdown."""
    one = make_insert(*words, document=document, plugins=plugins)
    assert isinstance(one, InsertResult), one
    return one.markdown


def test_problem_types() -> None:
    """All of them, or those of a status, each leading to its page."""
    heads = "| Problem | Status | When |\n| --- | --- | --- |\n"
    gone = "| [Gone](../reference/errors/gone.md) | 404 | It *was* here. |"
    heavy = "| [Heavy](../reference/errors/heavy.md) | 422 | Over 30 kg. |"

    assert markdown("problem-types") == f"{heads}{gone}\n{heavy}"
    assert markdown("problem-types", "422") == f"{heads}{heavy}"


def test_scopes() -> None:
    """Each with what it grants and what needs it."""
    assert markdown("scopes").split("\n")[2:] == [
        r"| `parcels.read` | See parcels. | [List \| all](../reference/our-parcels/list.md) |",
        "| `parcels.write` | Send parcels. |  |",
    ]


def test_operations() -> None:
    """Those of a tag; their stability is told where it is not that of all."""
    assert markdown("operations", "Our parcels").split("\n") == [
        "| Operation | Request |",
        "| --- | --- |",
        r"| [List \| all](../reference/our-parcels/list.md) | `GET /parcels` |",
    ]
    assert markdown("operations", "Depots").endswith("`GET /depots` | beta |")


def test_stability() -> None:
    """How many parts of each kind are stable, and how many are not, with where they are listed."""
    assert markdown("stability").split("\n") == [
        "| Parts | beta |",
        "| --- | --- |",
        "| [Operations](../reference/stability.md) | 1 |",
        "| All | 1 |",
    ]


def test_contract_without_marks_has_no_stability_to_show() -> None:
    """The message says which extension makes one."""
    document = {"openapi": "3.1.0", "info": {"title": "P", "version": "1"}, "paths": {}}

    assert make_insert("stability", document=document) == InsertProblem(
        message="no part of the contract says how stable it is", help="write 'x-stability-level' there"
    )


@pytest.mark.parametrize("words", [("events",), ("events", "Our parcels")])
def test_events(words: tuple[str, ...]) -> None:
    """All of them, or those of a tag."""
    assert markdown(*words).split("\n")[2:] == ["| [`moved`](../reference/events/moved.md) | It moved |"]


def test_a_state_machine_is_drawn() -> None:
    """As HTML, and in words for the twin; its ids begin with those of the insert."""
    one = make_insert("state-machine", "State")

    assert isinstance(one, InsertResult)
    assert '<title id="insert-1-title">States of State</title>' in one.html
    assert '<a href="../../reference/events/moved/"><code>moved</code></a>' in one.html
    assert "| `packed` | `sent` | a van takes it | [`moved`](../reference/events/moved.md) |" in one.markdown


@pytest.mark.parametrize(
    ("words", "message", "advice"),
    [
        (("scope",), "there is no insert 'scope'", "did you mean 'scopes'?"),
        (("zzz",), "there is no insert 'zzz'", "'conformance-checks', "),
        (("scopes", "x"), "this insert is written 'scopes'", "leave the arguments out"),
        (("operations",), "this insert is written 'operations TAG'", "put a name of several words in quot"),
        (("operations", "Depot"), "there is no tag of operations 'Depot'", "did you mean 'Depots'?"),
        (("events", "a", "b"), "this insert is written 'events [TAG]'", "one of 'Our parcels'"),
        (("events", "Depots"), "there is no tag of events 'Depots'", "one of 'Our parcels'"),
        (("problem-types", "4xx"), "there is no status of a problem type '4xx'", "one of '404', '422'"),
        (
            ("problem-types", "1", "2"),
            "this insert is written 'problem-types [STATUS]'",
            "one of '404', '422'",
        ),
        (("state-machine",), "this insert is written 'state-machine SCHEMA'", "one of 'State'"),
        (("state-machine", "Other"), "there is no schema with a state machine 'Other'", "one of 'State'"),
    ],
)
def test_wrong_words_are_told(words: tuple[str, ...], message: str, advice: str) -> None:
    """With what there is, or with what was probably meant."""
    one = make_insert(*words)

    assert isinstance(one, InsertProblem)
    assert one.message == message
    assert advice in one.help


@pytest.mark.parametrize("name", ["events", "problem-types", "scopes"])
def test_a_contract_may_have_none_of_what_is_asked_for(name: str) -> None:
    """An empty table would say nothing."""
    one = make_insert(name, document={"paths": {"/a": {"get": {"responses": ANSWERS}}}})

    assert isinstance(one, InsertProblem)
    assert one.message.startswith("the contract has no ")


def test_without_a_contract_there_is_nothing_to_insert() -> None:
    """A site may do without one."""
    one = Inserts(None).make_insert(("scopes",), source="a.md", anchor="a")

    assert one == InsertProblem(
        message="the insert 'scopes' needs a contract", help="give one under 'contract'"
    )


PLUGGED = """\
from devportal.markup.page import InsertProblem

def counted(api, arguments):
    if arguments:
        return InsertProblem(message="no argument wanted", help="take it out")
    return f"{len(api.operations)} operations, such as [this](#operation/list)."
"""


@pytest.fixture
def plugged_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install another package, which brings the insert `counted`."""
    points = "[devportal.inserts]\ncounted = plugged_inserts:counted\n"
    write_plugin(tmp_path, "plugged", points=points, modules={"plugged_inserts": PLUGGED})
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("plugged_package")
def test_other_packages_bring_inserts() -> None:
    """Markdown of theirs links to parts of the contract as descriptions do."""
    named = {**CONTRACT, "x-devportal-plugins": ["plugged"]}
    text = "2 operations, such as [this](../reference/our-parcels/list.md)."

    assert markdown("counted", plugins=("plugged",)) == text
    assert markdown("counted", document=named) == text
    assert make_insert("counted", "x", document=named) == InsertProblem(
        message="no argument wanted", help="take it out"
    )
    assert make_insert("countd", document=named) == InsertProblem(
        message="there is no insert 'countd'", help="did you mean 'counted'?"
    )


@pytest.mark.usefixtures("plugged_package")
def test_an_insert_of_a_plugin_that_is_not_listed_is_wrong() -> None:
    """The message names the plug-in and where to list it."""
    assert make_insert("counted") == InsertProblem(
        message="the insert 'counted' is of the plug-in 'plugged', which is not listed",
        help="add 'plugged' to 'plugins' of the plugin devportal in mkdocs.yml",
    )


@pytest.mark.usefixtures("plugged_package")
def test_a_project_lists_its_plugins(tmp_path: Path) -> None:
    """A page has their inserts, checked and built alike."""
    settings = write_project(tmp_path, plugin={"plugins": ["Plugged"]})
    (tmp_path / "docs" / "index.md").write_text("# Welcome\n\n<!-- devportal: counted -->\n")

    built = built_project(settings, tmp_path / "site")

    assert check_project(settings).all_findings() == built.findings == ()
    assert " operations, such as " in contents(tmp_path / "site")["index.html"].decode()


@pytest.mark.parametrize("run", [check_project, build_project])
def test_a_listed_plugin_that_is_missing_stops(run: Callable[[Path], object], tmp_path: Path) -> None:
    """Of checks and builds alike, with what to install."""
    settings = write_project(tmp_path, plugin={"plugins": ["parcel-map"]})

    with pytest.raises(EnvironmentProblem, match=r"mkdocs\.yml: the plug-in 'parcel-map' is not installed"):
        run(settings)


@pytest.mark.parametrize("run", [check_project, build_project])
def test_an_insert_that_cannot_be_imported_stops(
    run: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its plug-in and the reason."""
    write_plugin(tmp_path, "torn", points="[devportal.inserts]\ntorn = not_there:torn\n")
    monkeypatch.syspath_prepend(tmp_path)
    settings = write_project(tmp_path, plugin={"plugins": ["torn"]})
    (tmp_path / "docs" / "index.md").write_text("# Welcome\n\n<!-- devportal: torn -->\n")

    with pytest.raises(EnvironmentProblem, match="'torn' cannot be used: 'not_there:torn' raises"):
        run(settings)


def test_findings_have_their_place() -> None:
    """The line in the file, front matter included."""
    text = "---\ntitle: T\n---\n# T\n\n  <!-- devportal: scope -->\n\n<!-- devportal: scopes --> too\n"

    found = list(insert_problems(Inserts(api_from(CONTRACT)), text, name="docs/a.md", source="a.md"))

    assert [(str(finding.place), finding.rule, finding.level) for finding in found] == [
        ("docs/a.md:6:3", "page-insert", Level.ERROR),
        ("docs/a.md:8:1", "page-insert", Level.ERROR),
    ]
    assert found[0].message == "there is no insert 'scope'"


def test_an_insert_keeps_its_indent() -> None:
    """In a list or a note it belongs to the item, drawn or not."""
    inserting = InsertReplacer(Inserts(api_from(CONTRACT)))
    source = (
        "- a\n\n    <!-- devportal: state-machine State -->\n\n    <!-- devportal: problem-types 404 -->\n"
    )

    opened = inserting.replace_marks(source, "a.md")

    assert "    | Problem | Status | When |\n    | --- | --- | --- |\n" in opened
    twin = inserting.twin(opened, "a.md")
    assert "    Begins as `packed`. Final: `sent`.\n" in twin
    assert "devportal-insert" not in twin
    assert inserting.replace_placeholders("<li><p>devportal-insert-1</p></li>", "a.md").startswith(
        "<li><figure "
    )


def test_what_looks_like_a_drawn_insert_stays() -> None:
    """On the page that has none, and where there is no insert of that number."""
    inserting = InsertReplacer(Inserts(api_from(CONTRACT)))
    inserting.replace_marks("<!-- devportal: state-machine State -->", "a.md")
    inserting.replace_marks("<!-- devportal: scopes -->", "c.md")

    for page in ("b.md", "c.md"):
        assert (
            inserting.replace_placeholders("<p>devportal-insert-1</p>", page) == "<p>devportal-insert-1</p>"
        )
        assert inserting.twin("devportal-insert-1", page) == "devportal-insert-1"
    assert inserting.replace_placeholders("<p>devportal-insert-7</p>", "a.md") == "<p>devportal-insert-7</p>"


PAGE = """\
# Welcome

<!-- devportal: state-machine State -->
<!-- devportal: problem-types -->

```markdown
<!-- devportal: problem-types -->
```
"""


def project(folder: Path, page: str = PAGE, **changed: Any) -> Path:
    """Write a project with one page; return its settings."""
    settings = write_project(folder)
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    write_contract(folder / "openapi.yaml", {**CONTRACT, **changed})
    return settings


def build(folder: Path, **changed: Any) -> tuple[BuildResult, dict[str, bytes]]:
    """Build a project with that page around the contract with these changes."""
    built = built_project(project(folder, **changed), folder / "site")
    return built, contents(folder / "site")


def test_a_page_shows_inserts(tmp_path: Path) -> None:
    """The drawing, a table with links that lead somewhere, and code as it is."""
    built, files = build(tmp_path)

    page = files["index.html"].decode()
    assert built.findings == ()
    assert built.warnings == ()
    assert page.count('<svg class="dp-states__drawing"') == 1
    assert '<a href="reference/errors/gone/">Gone</a>' in page
    assert "<p>devportal-insert" not in page
    assert "devportal: problem-types" in page


def test_twins_have_inserts_as_markdown(tmp_path: Path) -> None:
    """The twin of the page, and the file of all twins."""
    _, files = build(tmp_path)

    for name in ("index.md", "llms-full.txt"):
        twin = files[name].decode()
        assert "| `packed` | `sent` | a van takes it | [`moved`](" in twin
        assert "(reference/errors/gone.md) | 404 | It *was* here. |" in twin
        assert "<svg" not in twin
        assert twin.count("<!-- devportal: problem-types -->") == 1  # in code


def test_a_wrong_insert_is_a_finding_of_the_build(tmp_path: Path) -> None:
    """The page is built without it; a strict build of MkDocs stops."""
    settings = project(tmp_path, "# A\n\n<!-- devportal: scope -->\n")

    built = built_project(settings, tmp_path / "site")

    assert [str(finding.place) for finding in built.findings] == ["docs/index.md:3:1"]
    assert [finding.message for finding in check_project(settings).all_findings()] == [
        "there is no insert 'scope'"
    ]


def test_a_check_finds_nothing_wrong_with_right_inserts(tmp_path: Path) -> None:
    """Neither in the page nor in its code."""
    assert check_project(project(tmp_path)).all_findings() == ()


@pytest.mark.parametrize("kind", ["no text", "a link to nowhere", "not ours to read"])
def test_a_page_that_cannot_be_read_ends_the_check(kind: str, tmp_path: Path) -> None:
    """As it ends the build: with its name, and what to do."""
    settings = project(tmp_path)
    page = tmp_path / "docs" / "odd.md"
    if kind == "a link to nowhere":
        page.symlink_to("gone.md")
    else:
        page.write_bytes(b"# Caf\xe9\n" if kind == "no text" else b"# A\n")
    if kind == "not ours to read":
        page.chmod(0)
        if os.access(page, os.R_OK):
            pytest.skip("this user reads any file")

    with pytest.raises(UnreadableInput) as raised:
        check_project(settings)

    where = (1, 6) if kind == "no text" else (0, 0)
    assert raised.value.place == Place(file="docs/odd.md", line=where[0], column=where[1])


@pytest.mark.parametrize("part", ["x-problem-types", "components"])
def test_a_changed_contract_changes_the_inserts(part: str, tmp_path: Path) -> None:
    """A build that follows another leaves what a fresh one does: in the page, its twin and llms-full.txt."""
    folder = tmp_path / "followed"
    folder.mkdir()
    settings = project(folder)
    build_project(settings, site_dir=folder / "site", cache=tmp_path / "cache")
    document = json.loads(json.dumps(CONTRACT).replace("was* here", "went* away").replace("a van", "nobody"))

    write_contract(folder / "openapi.yaml", {**CONTRACT, part: document[part]})
    build_project(settings, site_dir=folder / "site", cache=tmp_path / "cache")

    fresh = project(tmp_path / "fresh", **{part: document[part]})
    build_project(fresh, site_dir=tmp_path / "fresh" / "site")
    left, wanted = contents(folder / "site"), contents(tmp_path / "fresh" / "site")
    for name in ("index.html", "index.md", "llms-full.txt"):
        assert left[name] == wanted[name]
        assert b"nobody takes it" in left[name] or b"went" in left[name]


EVIL = (
    '{ onclick="alert(1)" }',
    'A *word*{ onclick="alert(1)" }',
    '`code`{ onclick="alert(1)" } {: onclick="alert(1)" }',
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "<!-- devportal: scopes -->",
)


@pytest.mark.parametrize("text", EVIL)
def test_texts_of_a_contract_stay_texts_on_a_page(text: str, tmp_path: Path) -> None:
    """Extensions of Markdown that pages use give them no attribute, and nothing in them is live."""
    problem = {"type": "https://p.example/gone", "title": f"Gone {text}", "status": 404, "description": text}
    settings = project(tmp_path, PAGE, **{"x-problem-types": [problem]})
    extensions = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["markdown_extensions"]
    whole = {**yaml.safe_load(settings.read_text(encoding="utf-8")), "markdown_extensions": extensions}
    settings.write_text(yaml.safe_dump(whole), encoding="utf-8")

    built_project(settings, tmp_path / "site")

    tags = Tags(contents(tmp_path / "site")["index.html"].decode()).tags
    assert not [(tag, name) for tag, values in tags for name in values if name.startswith("on")]
    assert not [values for _, values in tags if values.get("href", "").startswith("javascript:")]


def test_braces_are_shown(tmp_path: Path) -> None:
    """In a path, on the page and in its twin."""
    operation = {"operationId": "one", "tags": ["One"], "responses": ANSWERS}
    page = "<!-- devportal: operations One -->\n"
    settings = project(tmp_path, page, paths={"/a/{id}": {"get": operation}})

    built_project(settings, tmp_path / "site")

    files = contents(tmp_path / "site")
    assert "<code>GET /a/{id}</code>" in files["index.html"].decode()
    assert "`GET /a/{id}`" in files["index.md"].decode()
