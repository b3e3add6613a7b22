"""`devportal init`: what it makes, what it refuses, and what it leaves alone."""

import re
import shutil
import subprocess
import textwrap
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.catalog import load_catalog
from devportal.documents import to_json, to_yaml
from tests.corpus import contract_param, corpus_file

from .desk import ODD, contract, files_of, init, run, write_contract

SPECS = (
    "bandwidth.yml",
    "camara-sms/SMS.yaml",
    "camara-sms/sms-delivery-notification-subscription.yaml",
    "discord-3.1.json",
    "freee-sm-japanese.yml",
    "museum-3.1.yaml",
    "oai-examples/v3.1/webhook-example.yaml",
    "stripe.json",
    "twilio_messaging_v1.json",
)
SHOWN = ("mkdocs.yml", "README.md", "docs/index.md", "docs/guides/first-request.md", "docs/guides/events.md")


def test_a_portal_is_made_that_is_in_order(tmp_path: Path) -> None:
    """It is checked and built without any finding, and the files that were written are printed."""
    portal = tmp_path / "portal"

    made = init(portal, "--contract", write_contract(tmp_path, contract()))

    assert made.exit_code == 0, made.output
    assert made.stdout.splitlines() == [f"{portal.as_posix()}/{name}" for name in files_of(portal)]
    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"
    built = run("build", "-q", "-f", portal / "mkdocs.yml")
    assert (built.exit_code, built.stderr) == (0, "")
    assert (portal / "site" / "changelog" / "2026-12-01-first-request" / "index.html").is_file()


def test_the_files_are_these(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    """What people go on to edit, word for word."""
    init(tmp_path / "portal", "--contract", write_contract(tmp_path, contract()))

    for name in (*SHOWN, "changelog/2026-12-01-first-request.md"):
        golden(f"scaffold/{name}", (tmp_path / "portal" / name).read_text(encoding="utf-8"))


def test_a_rate_book_is_begun_where_it_is_asked_for(tmp_path: Path) -> None:
    """Check and build pass at once, and the way of the first price that README.md tells can be gone."""
    portal = tmp_path / "portal"

    made = init(portal, "--contract", write_contract(tmp_path, contract()), "--with-rates")

    assert "write what you sell into data/book.yaml" in made.stderr
    assert {"data/book.yaml", "data/roles.yaml"} <= set(files_of(portal))
    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"
    built = run("build", "-q", "-f", portal / "mkdocs.yml")
    assert built.exit_code == 0
    assert (portal / "site" / "rates" / "index.html").is_file()
    draft = re.search(r"```yaml\n(.*?)   ```", (portal / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert draft
    (portal / "data" / "rates").mkdir()
    (portal / "data" / "rates" / "no.yaml").write_text(textwrap.dedent(draft[1]), encoding="utf-8")
    catalog, findings = load_catalog(portal / "data", name="data")
    assert findings == ()
    assert [str(rate.ref) for rate in catalog.records.rates] == ["rates/no-standard@1"]


def test_a_rate_book_for_a_portal_that_is_there_comes_with_the_lines_to_add(tmp_path: Path) -> None:
    """The settings and README.md are left alone, so the advice has what they lack."""
    portal, source = tmp_path / "portal", write_contract(tmp_path, contract())
    init(portal, "--contract", source)

    made = init(portal, "--contract", source, "--with-rates", "--force")

    assert "README.md shows" not in made.stderr
    assert "see `devportal rates --help`" in made.stderr
    assert "write `records: data` there" in made.stderr
    assert "add `rates/index.md` and `coverage/index.md` under nav" in made.stderr


def test_git_leaves_line_endings_of_recorded_files(tmp_path: Path) -> None:
    """Else the check fails in each clone on Windows: the checksums are of other bytes."""
    portal = tmp_path / "portal"
    init(portal, "--contract", write_contract(tmp_path, contract()), "--with-rates")
    subprocess.run(["git", "init", "--quiet"], cwd=portal, check=True)

    names = [*(name for name in files_of(portal) if "/releases/" in name), "data/audit.jsonl"]
    shown = subprocess.run(
        ["git", "check-attr", "text", "--", *names], cwd=portal, check=True, capture_output=True, text=True
    ).stdout

    assert len(names) > 1
    assert shown.splitlines() == [f"{name}: text: unset" for name in names]


@pytest.mark.corpus
@pytest.mark.parametrize("name", [*map(contract_param, SPECS)])
def test_contracts_of_others_become_portals(name: str, tmp_path: Path) -> None:
    """Each is built strictly, and its check passes: known problems of the contract are in a baseline."""
    source, portal = corpus_file(name), tmp_path / "portal"
    made = init(portal, "--contract", source)
    assert made.exit_code == 0, made.output

    built = run("build", "-q", "-f", portal / "mkdocs.yml")
    checked = run("check", "-f", portal / "mkdocs.yml")
    listed = run("check", "--no-baseline", "-f", portal / "mkdocs.yml").stdout

    assert (portal / "openapi" / source.name).read_bytes() == source.read_bytes()
    assert built.exit_code == 0, built.output
    assert ": warning: Doc file" not in built.stderr
    assert checked.exit_code == 0, checked.stdout
    of_the_site = {"contract-root-link]"}  # which only a site can say, as it is where the links would lead
    assert [rule for rule in _rules(listed) if rule not in of_the_site] == _rules(
        run("check", "--contract", source).stdout
    )


def _rules(findings: str) -> list[str]:
    return sorted(line.rpartition("[")[2] for line in findings.splitlines() if line.endswith("]"))


def test_the_same_contract_and_day_give_the_same_bytes(tmp_path: Path) -> None:
    """Wherever the portal lies."""
    source = write_contract(tmp_path, contract())

    init(tmp_path / "one", "--contract", source)
    init(tmp_path / "two" / "below", "--contract", source)

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two" / "below")


def test_the_day_of_the_entry_is_that_of_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else changes with it but the record of what was published."""
    source = write_contract(tmp_path, contract())
    init(tmp_path / "one", "--contract", source)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796169600")

    init(tmp_path / "two", "--contract", source)

    one, two = files_of(tmp_path / "one"), files_of(tmp_path / "two")
    assert {name for name in one.keys() | two.keys() if one.get(name) != two.get(name)} == {
        "changelog/2026-12-01-first-request.md",
        "changelog/2026-12-02-first-request.md",
        "openapi/releases/releases.yaml",
    }


def test_an_ampersand_between_words_stays(tmp_path: Path) -> None:
    """The written pages are read as Markdown too, so only what would become markup is escaped."""
    portal = tmp_path / "portal"

    init(portal, "--contract", write_contract(tmp_path, contract(title="Crumb & Crust &amp; Co")))

    assert (portal / "README.md").read_text(encoding="utf-8").startswith("# Crumb & Crust &#38;amp; Co\n")


@pytest.mark.parametrize(("title", "shown"), [(ODD, ODD), ("", "API"), ("  Two\n lines ", "Two lines")])
def test_titles_are_text(title: str, shown: str, tmp_path: Path) -> None:
    """Whatever characters they have: on the page, in its head, and in the settings."""
    portal = tmp_path / "portal"
    init(portal, "--contract", write_contract(tmp_path, contract(title=title)))

    assert run("build", "-q", "-f", portal / "mkdocs.yml").exit_code == 0
    page = (portal / "site" / "index.html").read_text(encoding="utf-8")
    heading = page.partition("<h1")[2].partition(">")[2].partition("<a")[0]
    assert _is_same_text(heading, escape(shown))
    assert "<b>" not in page.partition("</head>")[0]


def test_a_title_controls_no_terminal(tmp_path: Path) -> None:
    """It is told on one line, without what moves a cursor, sets a colour or turns text around."""
    title = "Par\ncels\t\x1b[31m \u202ered\x07"

    made = init(tmp_path / "portal", "--contract", write_contract(tmp_path, contract(title=title)))

    assert "files around 2 operations of Par cels [31m red. Next:" in made.stderr


def test_a_contract_may_be_called_as_redirects_are(tmp_path: Path) -> None:
    """It is the contract, and not read as what it is called."""
    portal = tmp_path / "portal"

    made = init(portal, "--contract", write_contract(tmp_path, contract(), "redirects.yaml"))

    assert made.exit_code == 0, made.output
    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"


@pytest.mark.parametrize("tag", ["Parcels\n  - bags", "a: b # c", "- x", "\u2028'\"", "no"])
def test_tags_are_text(tag: str, tmp_path: Path) -> None:
    """Whatever characters they have, the first entry is about this one and no other."""
    data, portal = contract(), tmp_path / "portal"
    for operation in data["paths"]["/parcels"].values():
        operation["tags"] = [tag]
    init(portal, "--contract", write_contract(tmp_path, data))

    front = (portal / "changelog/2026-12-01-first-request.md").read_text(encoding="utf-8").split("---\n")[1]
    assert yaml.safe_load(front)["apis"] == [tag]
    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"


@pytest.mark.parametrize("name", ["a: b #c.yaml", "[a].yaml", "a\nb.yaml", "'a\".yaml", "!ENV a.yaml"])
def test_names_of_files_are_text(name: str, tmp_path: Path) -> None:
    """Whatever characters they have, the settings lead to the contract."""
    portal = tmp_path / "portal"
    init(portal, "--contract", write_contract(tmp_path, contract(), name))

    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"


def _is_same_text(first: str, other: str) -> bool:
    """Say whether two texts of HTML are the same text, however their characters are written."""
    return unescape(first).strip() == unescape(other)


def test_json_stays_json(tmp_path: Path) -> None:
    """Byte by byte, under its own name."""
    source = tmp_path / "parcels.json"
    source.write_text(to_json(contract()), encoding="utf-8")

    init(tmp_path / "portal", "--contract", source)

    assert (tmp_path / "portal/openapi/parcels.json").read_bytes() == source.read_bytes()


def test_the_files_that_it_refers_to_come_along(tmp_path: Path) -> None:
    """They keep their places, and so do redirects."""
    data = contract()
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": "parts/problems.yaml#/NotFound"}
    source = write_contract(tmp_path / "api", data)
    write_contract(tmp_path / "api", {"NotFound": {"description": "Gone."}}, "parts/problems.yaml")
    (tmp_path / "api" / "redirects.yaml").write_text("operations:\n  getAll: listParcels\n", encoding="utf-8")
    (tmp_path / "api" / "other.yaml").write_text("of: no use\n", encoding="utf-8")

    made = init(tmp_path / "portal", "--contract", source)

    assert made.exit_code == 0, made.output
    assert {name for name in files_of(tmp_path / "portal") if name.startswith("openapi/")} == {
        "openapi/api.yaml",
        "openapi/parts/problems.yaml",
        "openapi/redirects.yaml",
        "openapi/releases/1.0.0.yaml",
        "openapi/releases/releases.yaml",
    }
    assert run("build", "-q", "-f", tmp_path / "portal/mkdocs.yml").exit_code == 0


def test_files_outside_its_folder_come_along_where_that_is_allowed(tmp_path: Path) -> None:
    """The folders between them are kept, so that references lead where they led."""
    data = contract()
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": "../common/problems.yaml#/NotFound"}
    source = write_contract(tmp_path / "specs" / "parcels", data)
    write_contract(tmp_path / "specs", {"NotFound": {"description": "Gone."}}, "common/problems.yaml")

    refused = init(tmp_path / "portal", "--contract", source)
    made = init(tmp_path / "portal", "--contract", source, "--allow-outside-references")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert made.exit_code == 0, made.output
    assert {
        "openapi/parcels/api.yaml",
        "openapi/common/problems.yaml",
        "openapi/parcels/releases/1.0.0.yaml",
    } <= {*files_of(tmp_path / "portal")}
    assert run("check", "-f", tmp_path / "portal/mkdocs.yml").output == "No problems found.\n"


@pytest.mark.parametrize(
    ("reference", "lies_at"),
    [
        ("../specs/common.yaml", "specs/common.yaml"),
        ("../../team/specs/common.yaml", "team/specs/common.yaml"),
        ("parts/../../specs/common.yaml", "specs/common.yaml"),
        ("%2e%2e/specs/common.yaml", "specs/common.yaml"),
        ("parts/../common.yaml", "common.yaml"),
    ],
)
def test_references_that_climb_out_and_come_back_keep_their_way(
    reference: str, lies_at: str, tmp_path: Path
) -> None:
    """The folders that they name are kept, since what is written in a file stays as it is."""
    data = contract()
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": f"{reference}#/NotFound"}
    source, portal = write_contract(tmp_path / "team" / "specs", data), tmp_path / "portal"
    write_contract(tmp_path / "team" / "specs", {"NotFound": {"description": "Gone."}}, "common.yaml")

    made = init(portal, "--contract", source)

    assert made.exit_code == 0, made.output
    assert (portal / "openapi" / lies_at).is_file()
    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"


def test_what_only_looks_like_a_reference_keeps_no_folder(tmp_path: Path) -> None:
    """An example may hold anything: the names of folders on this machine are nobody's business."""
    data = contract()
    data["paths"]["/parcels"]["get"]["responses"]["200"]["content"]["application/json"]["example"] = {
        "id": "p_1",
        "$ref": "../../nobody.yaml#/x",
    }

    made = init(tmp_path / "portal", "--contract", write_contract(tmp_path / "specs", data))

    assert made.exit_code == 0, made.output
    assert (tmp_path / "portal" / "openapi" / "api.yaml").is_file()


@pytest.mark.parametrize("version", ["1.0.0", "1"])
@pytest.mark.parametrize("options", [(), ("--allow-outside-references",)])
def test_references_that_a_copy_would_not_follow_are_refused(
    options: tuple[str, ...], version: str, tmp_path: Path
) -> None:
    """Whether a release is frozen or not: an absolute path leads back to this machine."""
    data = contract(version=version)
    common = write_contract(tmp_path / "specs", {"NotFound": {"description": "Gone."}}, "common.yaml")
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": f"{common.as_posix()}#/NotFound"}
    source = write_contract(tmp_path / "specs", data)
    assert run("check", "--contract", source).exit_code == 0

    refused = init(tmp_path / "portal", "--contract", source, *options)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"{source}" in refused.stderr
    assert "in a new portal" in refused.stderr
    assert not (tmp_path / "portal").exists()


@pytest.mark.parametrize(
    ("data", "absent"),
    [
        ({**contract(), "servers": [], "tags": [], "security": []}, set()),
        ({**contract(), "paths": {}}, {"docs/guides/first-request.md", "changelog"}),
        ({**contract(), "webhooks": {}}, {"docs/guides/events.md"}),
        (
            {
                "openapi": "3.1.0",
                "info": {"title": "T", "version": "1"},
                "components": {"schemas": {"A": {}}},
            },
            {"docs/guides", "changelog"},
        ),
    ],
)
def test_there_is_no_page_about_what_a_contract_has_not(
    data: dict[str, object], absent: set[str], tmp_path: Path
) -> None:
    """No server, no operation, no event: the rest is in order without them."""
    portal = tmp_path / "portal"
    made = init(portal, "--contract", write_contract(tmp_path, data))

    assert made.exit_code == 0, made.output
    assert {text for text in absent if (portal / text).exists()} == set()
    assert run("build", "-q", "-f", portal / "mkdocs.yml").exit_code == 0


@pytest.mark.parametrize("version", ["2026-01-01", "1.0.0-beta.1", "10"])
def test_a_version_without_three_numbers_is_not_frozen(version: str, tmp_path: Path) -> None:
    """The portal works; what is missing is told."""
    made = init(tmp_path / "portal", "--contract", write_contract(tmp_path, contract(version=version)))

    assert made.exit_code == 0
    assert f"No release is frozen, as `info.version` is {version!r}" in made.stderr
    assert not (tmp_path / "portal/openapi/releases").exists()
    assert run("check", "-f", tmp_path / "portal/mkdocs.yml").exit_code == 0


@pytest.mark.parametrize(
    ("server", "is_told"), [("https://api.parcels.example", True), ("http://127.0.0.1", False)]
)
def test_a_portal_without_try_it_says_why(server: str, is_told: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """With what to write, unless the contract names a sandbox."""
    data = {**contract(), "servers": [{"url": server}]}

    made = init(tmp_path / "portal", "--contract", write_contract(tmp_path, data))

    assert ("Operations have no Try it" in made.stderr) is is_told
    assert ("x-sandbox: true" in made.stderr) is is_told


def test_known_problems_of_a_contract_go_into_a_baseline(tmp_path: Path) -> None:
    """The check of the new portal is green, the release is frozen, and the baseline is explained."""
    portal = tmp_path / "portal"
    data = contract()
    data["paths"]["/parcels"]["get"]["parameters"] = [
        {"name": "n", "in": "query", "schema": {"type": "integer"}, "example": "three"}
    ]

    made = init(portal, "--contract", write_contract(tmp_path, data))
    checked = run("check", "-f", portal / "mkdocs.yml")

    assert made.exit_code == checked.exit_code == 0
    assert "1 problem of the contract accepted as known in openapi/baseline.yaml" in made.stderr
    assert "Known when the portal was created." in (portal / "openapi/baseline.yaml").read_text()
    assert "1 known problem accepted" in checked.output
    assert (portal / "openapi/releases/1.0.0.yaml").exists()


def test_a_new_problem_fails_the_check_of_a_new_portal(tmp_path: Path) -> None:
    """The baseline accepts what was there on the first day, and nothing more."""
    portal = tmp_path / "portal"
    data = contract()
    parameter = {"name": "n", "in": "query", "schema": {"type": "integer"}, "example": "three"}
    data["paths"]["/parcels"]["get"]["parameters"] = [parameter]
    init(portal, "--contract", write_contract(tmp_path, data))
    file = portal / "openapi/api.yaml"
    file.write_text(file.read_text().replace("three", "four"))

    checked = run("check", "-f", portal / "mkdocs.yml")

    assert checked.exit_code == 1
    assert "[contract-example]" in checked.output


def test_a_change_of_the_contract_asks_for_an_entry(tmp_path: Path) -> None:
    """The changelog of a new portal proves what it says from the first change on."""
    portal = tmp_path / "portal"
    init(portal, "--contract", write_contract(tmp_path, contract()))
    data = contract(version="2.0.0")
    del data["paths"]["/parcels"]["get"]
    (portal / "openapi" / "api.yaml").write_text(to_yaml(data), encoding="utf-8")

    assert "[changelog-uncovered]" in run("check", "-f", portal / "mkdocs.yml").stdout
    assert run("changelog", "draft", "-f", portal / "mkdocs.yml").exit_code == 0


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    """What is in the way is listed, and nothing is written."""
    portal = tmp_path / "portal"
    write_contract(portal, {}, "notes/a.yaml")
    (portal / "README.md").write_text("mine\n", encoding="utf-8")

    refused = init(portal, "--contract", write_contract(tmp_path, contract()))

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "this folder is not empty: README.md, notes" in refused.stderr
    assert set(files_of(portal)) == {"README.md", "notes/a.yaml"}


def test_an_empty_clone_is_empty(tmp_path: Path) -> None:
    """The folder of git is not in the way."""
    (tmp_path / "portal" / ".git").mkdir(parents=True)

    assert init(tmp_path / "portal", "--contract", write_contract(tmp_path, contract())).exit_code == 0


def test_force_adds_what_is_missing_and_overwrites_nothing(tmp_path: Path) -> None:
    """What was there is left alone, and told."""
    portal = tmp_path / "portal"
    portal.mkdir()
    (portal / "README.md").write_text("mine\n", encoding="utf-8")

    made = init(portal, "--contract", write_contract(tmp_path, contract()), "--force")

    assert made.exit_code == 0
    assert (portal / "README.md").read_text(encoding="utf-8") == "mine\n"
    assert f"left alone: {portal.as_posix()}/README.md" in made.stderr
    assert f"{portal.as_posix()}/README.md" not in made.stdout
    assert run("check", "-f", portal / "mkdocs.yml").output == "No problems found.\n"


def test_force_again_changes_nothing(tmp_path: Path) -> None:
    """A portal that is whole lacks nothing."""
    source = write_contract(tmp_path, contract())
    made = init(tmp_path / "portal", "--contract", source)
    before = files_of(tmp_path / "portal")

    again = init(tmp_path / "portal", "--contract", source, "--force")

    assert (again.exit_code, again.stdout) == (0, "")
    assert "write into requirements.txt where pip gets the toolkit" in made.stderr
    assert "write into requirements.txt" not in again.stderr
    assert files_of(tmp_path / "portal") == before


@pytest.mark.parametrize("kept", ["openapi/api.yaml", "changelog/2026-01-01-mine.md", "mkdocs.yml"])
def test_force_tells_no_history_of_something_else(kept: str, tmp_path: Path) -> None:
    """Where there are other entries, another contract or other settings, nothing is said to be published."""
    portal = tmp_path / "portal"
    (portal / kept).parent.mkdir(parents=True)
    (portal / kept).write_text("mine\n", encoding="utf-8")

    made = init(portal, "--contract", write_contract(tmp_path, contract()), "--force")

    assert made.exit_code == 0
    assert not any(name.startswith(("openapi/releases", "changelog/2026-12")) for name in files_of(portal))


def test_force_says_only_what_is_so(tmp_path: Path) -> None:
    """Of files that are not there nothing is left alone, and what was not frozen is not called so."""
    portal = tmp_path / "portal"
    portal.mkdir()
    (portal / "mkdocs.yml").write_text("site_name: mine\n", encoding="utf-8")

    made = init(portal, "--contract", write_contract(tmp_path, contract()), "--force")

    left = [line for line in made.stderr.splitlines() if line.startswith("left alone: ")]
    assert left == [f"left alone: {portal.as_posix()}/mkdocs.yml"]
    assert "is frozen" not in made.stderr
    assert "No release was frozen" in made.stderr
    assert "write `contract: openapi/api.yaml`" in made.stderr


def test_force_says_that_a_release_is_frozen_where_it_is(tmp_path: Path) -> None:
    """Written now, or there already, byte by byte; not where another record of it is there."""
    source, portal = write_contract(tmp_path, contract()), tmp_path / "portal"
    first = init(portal, "--contract", source)
    again = init(portal, "--contract", source, "--force")
    (portal / "openapi/releases/releases.yaml").write_text("releases: []\n", encoding="utf-8")
    other = init(portal, "--contract", source, "--force")

    assert ["1.0.0 is frozen" in result.stderr for result in (first, again, other)] == [True, True, False]
    assert "contract: openapi" not in again.stderr


SETTINGS = "site_name: Mine\nplugins:\n"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (f"{SETTINGS}  - search\n  - devportal:\n      contract: openapi/api.yaml\n", "openapi/api.yaml"),
        (f"{SETTINGS}  devportal: {{contract: specs/a.yaml}}\n", "specs/a.yaml"),
        (f"{SETTINGS}  - devportal\nhook: !!python/name:os.system\n", "openapi/openapi.yaml"),
        (f"{SETTINGS}  - devportal: {{}}\n", "openapi/openapi.yaml"),
        (f"{SETTINGS}  devportal:\n", "openapi/openapi.yaml"),
    ],
)
def test_a_second_contract_is_refused(settings: str, named: str, tmp_path: Path) -> None:
    """A portal is around one: no file is left in it that no setting names."""
    portal = tmp_path / "portal"
    portal.mkdir()
    (portal / "mkdocs.yml").write_text(settings, encoding="utf-8")

    refused = init(portal, "--contract", write_contract(tmp_path, contract(), "second.yaml"), "--force")

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"mkdocs.yml: these settings name another contract: {named!r}" in refused.stderr
    assert set(files_of(portal)) == {"mkdocs.yml"}


@pytest.mark.parametrize(
    "settings",
    [
        "plugins: [{devportal: {contract: ./openapi/api.yaml}}]\n",
        "plugins: [{devportal: {contract: !ENV CONTRACT}}]\n",
        "plugins: [{devportal: {contract: [",
        "\n",
        "plugins: devportal\n",
        "plugins: [[]]\n",
        "[]\n",
    ],
)
def test_settings_that_name_no_other_contract_are_added_to(settings: str, tmp_path: Path) -> None:
    """Those that name this one, and those of which it cannot be said."""
    portal = tmp_path / "portal"
    portal.mkdir()
    (portal / "mkdocs.yml").write_text(settings, encoding="utf-8")

    made = init(portal, "--contract", write_contract(tmp_path, contract()), "--force")

    assert made.exit_code == 0
    assert (portal / "openapi/api.yaml").is_file()
    assert ("write `contract: openapi/api.yaml`" in made.stderr) is ("./openapi" not in settings)


def test_files_of_another_contract_of_the_same_name_are_not_added(tmp_path: Path) -> None:
    """What only the new one refers to would lie beside the old one for nothing."""
    portal = tmp_path / "portal"
    init(portal, "--contract", write_contract(tmp_path, contract()))
    data = contract(title="Other")
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": "parts.yaml#/NotFound"}
    source = write_contract(tmp_path / "other", data)
    write_contract(tmp_path / "other", {"NotFound": {"description": "Gone."}}, "parts.yaml")

    made = init(portal, "--contract", source, "--force")

    assert made.exit_code == 0
    assert not (portal / "openapi/parts.yaml").exists()
    assert "parts.yaml" not in made.output


@pytest.mark.parametrize(
    "name", ["releases/releases.yaml", "releases/1.0.0.yaml", "Releases/parts.yaml", "releases"]
)
def test_files_where_releases_go_are_refused(name: str, tmp_path: Path) -> None:
    """A release would be written over them, or read them as one of its own."""
    data = contract()
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": f"{name}#/NotFound"}
    source = write_contract(tmp_path / "api", data)
    write_contract(tmp_path / "api", {"NotFound": {"description": "Gone."}}, name)

    refused = init(tmp_path / "portal", "--contract", source)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"api.yaml: it refers to {name!r}, and releases are frozen in openapi/releases" in refused.stderr
    assert not (tmp_path / "portal").exists()


def test_a_contract_that_cannot_be_built_is_refused(tmp_path: Path) -> None:
    """Its findings are those of `check`, and nothing is left behind."""
    data = contract()
    data["paths"]["/parcels"]["get"]["responses"]["404"] = {"$ref": "#/components/responses/Nowhere"}
    source = write_contract(tmp_path, data)

    refused = init(tmp_path / "portal", "--contract", source)

    checked = run("check", "--contract", source)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert checked.exit_code == 1
    assert checked.stdout in refused.stderr
    assert not (tmp_path / "portal").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file"),
        ("openapi: 3.1.0\n  nonsense: [", "api.yaml:2:"),
        ("swagger: '1.2'\n", "Swagger 1.2"),
        ("", "this file is empty"),
    ],
)
def test_what_is_no_contract_is_refused(text: str | None, said: str, tmp_path: Path) -> None:
    """With its place, exit code 2, and nothing left behind."""
    source = tmp_path / "api.yaml"
    if text is not None:
        source.write_text(text, encoding="utf-8")

    refused = init(tmp_path / "portal", "--contract", source)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert said in refused.stderr
    assert not (tmp_path / "portal").exists()


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """A file stands where a folder is needed: what was written before it is taken away again."""
    portal = tmp_path / "portal"
    portal.mkdir()
    (portal / "docs").write_text("mine\n", encoding="utf-8")

    failed = init(portal, "--contract", write_contract(tmp_path, contract()), "--force")

    assert (failed.exit_code, failed.stdout) == (2, "")
    assert "cannot be written" in failed.stderr
    assert [path.name for path in portal.iterdir()] == ["docs"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    """It is no folder, and it is not deleted."""
    source = write_contract(tmp_path, contract())

    refused = init(source, "--contract", source)

    assert refused.exit_code == 2
    assert "cannot be listed: Not a directory" in refused.stderr


def test_an_address_goes_into_the_settings(tmp_path: Path) -> None:
    """With it the changelog has its feeds; one that is none is refused before anything is read."""
    source = write_contract(tmp_path, contract())

    init(tmp_path / "portal", "--contract", source, "--site-url", "https://parcels.example/docs/")
    refused = init(tmp_path / "other", "--contract", source, "--site-url", "parcels.example")
    broken = init(tmp_path / "other", "--contract", source, "--site-url", "http://[x")

    assert refused.exit_code == 2
    assert "'parcels.example' is not an address of the web" in refused.stderr
    assert broken.exit_code == 2
    assert "'http://[x' is not an address of the web" in broken.stderr
    assert run("build", "-q", "-f", tmp_path / "portal/mkdocs.yml").exit_code == 0
    feed = (tmp_path / "portal/site/changelog/feed.atom").read_text(encoding="utf-8")
    assert "https://parcels.example/docs/changelog/" in feed


def test_ci_runs_the_strict_commands(tmp_path: Path) -> None:
    """Both examples are YAML, install what `requirements.txt` names, check, build, and look for known
    vulnerabilities in what was installed.
    """
    init(tmp_path / "portal", "--contract", write_contract(tmp_path, contract()))

    github = yaml.safe_load((tmp_path / "portal/.github/workflows/portal.yml").read_text(encoding="utf-8"))
    gitlab = yaml.safe_load((tmp_path / "portal/.gitlab-ci.yml").read_text(encoding="utf-8"))

    steps = [step["run"] for step in github["jobs"]["portal"]["steps"] if "run" in step]
    install = "python -m pip install --requirement requirements.txt"
    check = 'devportal check --since "$SINCE"'
    audit = [
        "python -m pip list --format=freeze --exclude devportal > installed.txt",
        'python -m pip install --quiet --target .pip-audit "pip-audit~=2.10"',
    ]
    search = "PYTHONPATH=.pip-audit python -m pip_audit --strict --no-deps --disable-pip"
    audit.append(f"{search} --requirement installed.txt")
    assert steps == [install, f"{check} --format github", "devportal build", *audit]
    assert gitlab["portal"]["before_script"] == [install]
    report = "gl-code-quality.json"  # the problems, for the merge request
    assert gitlab["portal"]["script"][-5:] == [f"{check} --write gitlab={report}", "devportal build", *audit]
    assert gitlab["portal"]["artifacts"]["reports"] == {"codequality": report}


def test_a_link_in_a_new_portal_that_breaks_is_found(tmp_path: Path) -> None:
    """Its settings make a strict build of `devportal build`."""
    portal = tmp_path / "portal"
    init(portal, "--contract", write_contract(tmp_path, contract()))
    (portal / "docs/index.md").write_text("# Home\n\n[gone](gone.md)\n", encoding="utf-8")

    built = run("build", "-q", "-f", portal / "mkdocs.yml")

    assert built.exit_code == 1
    assert "gone.md" in built.stderr


@pytest.mark.parametrize("named", [{}, {"contact": {"url": "https://parcels.example/help"}}])
def test_a_new_portal_has_no_broken_link(named: dict[str, Any], tmp_path: Path) -> None:
    """Whatever its descriptions link to, and whether or not the contract says for which site."""
    portal = tmp_path / "portal"
    text = "See [all](/docs), [one](docs/one.md), ![map](map.png), [none]() and <a href='../up?a=b#c'>up</a>."
    data = contract(description=text, termsOfService="/terms", **named)
    create = data["paths"]["/parcels"]["post"]
    values = {"type": "string", "enum": ["a"], "x-enumDescriptions": {"a": text}, "description": text}
    create |= {
        "summary": "Send [one](/docs)",
        "description": text,
        "externalDocs": {"url": "docs/one", "description": text},
        "parameters": [{"name": "q", "in": "query", "schema": values, "description": text}],
    }
    data["tags"] = [{"name": "Parcels & bags", "description": text, "externalDocs": {"url": "/docs"}}]
    data["webhooks"]["parcel.moved"]["post"]["summary"] = "Moved: [parcel](/docs/parcel)"
    init(portal, "--contract", write_contract(tmp_path, data))

    results = [run(*pair, "-f", portal / "mkdocs.yml") for pair in (("check",), ("build", "-q"))]
    results.append(run("links", portal / "site"))

    assert [result.exit_code for result in results] == [0, 0, 0], "".join(result.output for result in results)


def test_the_logo_comes_along(tmp_path: Path) -> None:
    """It is an image in the contract's folder, which the pages show."""
    logo = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
    source = write_contract(tmp_path, contract(**{"x-logo": {"url": "images/logo.svg"}}))
    (tmp_path / "images").mkdir()
    (tmp_path / "images/logo.svg").write_bytes(logo)

    init(tmp_path / "portal", "--contract", source)

    assert files_of(tmp_path / "portal")["openapi/images/logo.svg"] == logo


def test_the_portal_can_be_moved(tmp_path: Path) -> None:
    """No file names the folder that it was made in."""
    init(tmp_path / "portal", "--contract", write_contract(tmp_path, contract()))

    assert not any(str(tmp_path).encode() in content for content in files_of(tmp_path / "portal").values())
    shutil.move(tmp_path / "portal", tmp_path / "moved")
    assert run("check", "-f", tmp_path / "moved" / "mkdocs.yml").output == "No problems found.\n"


@pytest.mark.parametrize(
    ("servers", "sentence"),
    [
        (
            [],
            (
                "The contract names no server. Samples use https://api.example.com. "
                "Replace it with the address of your API."
            ),
        ),
        (
            [{"url": "/v2"}],
            "The contract names no host. Samples use https://api.example.com. Replace it with the address of your API.",
        ),
        ([{"url": "https://api.example.com/v2"}], "Send requests to `https://api.example.com/v2`."),
    ],
)
def test_the_guide_sends_requests_to_no_host_that_the_contract_does_not_name(
    tmp_path: Path, servers: list[dict[str, str]], sentence: str
) -> None:
    """As frameworks write contracts, which do not know where they run."""
    path = write_contract(tmp_path, {**contract(), "servers": servers})

    init(tmp_path / "portal", "--contract", path)

    guide = (tmp_path / "portal/docs/guides/first-request.md").read_text(encoding="utf-8")
    assert guide.split("## Base URL\n\n")[1].partition("\n")[0] == sentence
