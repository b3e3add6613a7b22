"""Sites of several audiences from one contract: nothing of one is on the site of another, and the search for that
finds what is planted and nothing else.
"""

import gzip
import json
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from devportal.cli import cli
from devportal.findings import Finding
from devportal.project.inputs import load_project_contract
from devportal.site.commands.build import build_audiences
from devportal.site.leak_search import audience_leaks_in
from devportal.site.load_inputs import load_inputs
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.project_file import load_project
from tests.site.building import DAY, environment

CONTRACT = """\
openapi: 3.1.0
info:
  title: Freight
  version: 1.0.0
  description: Book freight and follow it.
servers: [{url: 'https://api.freight.test/v1'}]
tags:
  - {name: Shipments, description: What you send.}
  - {name: Clearing house, description: Money between carriers.}
  - {name: Beta lab, description: What is tried out.}
paths:
  /shipments:
    get:
      operationId: listShipments
      summary: List shipments
      tags: [Shipments]
      parameters:
        - {name: state, in: query, schema: {$ref: '#/components/schemas/ShipmentState'}}
        - {name: marginBand, in: query, x-audience: partner, schema: {type: string}}
      responses:
        '200':
          description: The shipments.
          headers:
            X-Page-Token: {schema: {type: string}}
            X-Carrier-Quota: {x-audience: [partner, internal], schema: {type: integer}}
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Shipment'}}
              example:
                - {id: shp_1, state: booked, rebate: 0.0417, purchaseCost: 812.35}
        '451': {x-audience: partner, description: Held back by the customs desk upstairs.}
    post:
      operationId: createShipment
      summary: Book a shipment
      tags: [Shipments]
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/Shipment'}}
      responses:
        '201': {description: Booked.}
  /clearing/batches:
    x-audience: partner
    get:
      operationId: fetchClearingBatches
      summary: Collect the settled batches of a carrier
      tags: [Clearing house]
      responses:
        '200':
          description: All batches of the month.
          content:
            application/json: {schema: {$ref: '#/components/schemas/ClearingBatch'}}
  /shipments/{id}/hold:
    post:
      operationId: holdShipment
      x-audience: internal
      summary: Stop a shipment by hand
      tags: [Shipments]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Stopped.}}
  /experiments:
    get:
      operationId: listExperiments
      summary: What the lab is trying out this week
      tags: [Beta lab]
      responses: {'200': {description: The experiments.}}
components:
  schemas:
    Shipment:
      type: object
      required: [id]
      properties:
        id: {type: string}
        state: {$ref: '#/components/schemas/ShipmentState'}
        rebate:
          type: number
          x-audience: partner
          default: 0.0231
          description: Partners pay 0.0417 less per kilometre on the night line.
        purchaseCost: {type: number, x-audience: [partner, internal]}
    ShipmentState:
      oneOf:
        - {const: booked, description: It is booked.}
        - {const: prefunded, description: It is paid ahead., x-audience: partner}
    ClearingBatch:
      type: object
      properties:
        total: {type: string, examples: ['EURCLEAR-7731']}
        mode: {type: string, enum: [bilateral, multilateral]}
webhooks:
  shipmentBooked:
    post:
      operationId: onShipmentBooked
      tags: [Shipments]
      responses: {'204': {description: Taken.}}
  batchCleared:
    x-audience: partner
    post:
      operationId: onBatchCleared
      tags: [Clearing house]
      responses: {'204': {description: Taken.}}
"""
OVERLAY = """\
overlay: 1.1.0
info: {title: Partner, version: '1'}
actions:
  - target: $.servers
    update: {url: 'https://clearing.freight.test/v1'}
  - target: $.paths['/shipments'].get.parameters
    update: {name: netting_key, in: query, schema: {type: string}}
"""
SECRETS = (
    "/clearing/batches",
    "fetchClearingBatches",
    "Clearing house",
    "ClearingBatch",
    "marginBand",
    "X-Carrier-Quota",
    "customs desk upstairs",
    "Collect the settled batches",
    "rebate",
    "0.0417",
    "0.0231",
    "812.35",
    "purchaseCost",
    "prefunded",
    "EURCLEAR-7731",
    "multilateral",
    "batchCleared",
    "onBatchCleared",
    "https://clearing.freight.test/v1",
    "netting_key",
    "holdShipment",
    "Stop a shipment by hand",
    "listExperiments",
    "Beta lab",
    "the lab is trying out",
)
"""What the public site must not have, of each kind."""
PARTNER_ONLY = SECRETS[:20]
AUDIENCES: dict[str, Any] = {
    "public": {"hide_tags": ["Beta lab"], "site_url": "https://developers.freight.test/"},
    "partner": {"overlays": ["partner.overlay.yaml"]},
    "internal": None,
}


def write_project(folder: Path, contract: str = CONTRACT, **plugin: Any) -> Path:
    """Write a project with three audiences, and return its `mkdocs.yml`."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/index.md").write_text("# Welcome\n\nSend freight today.\n", encoding="utf-8")
    (folder / "openapi.yaml").write_text(contract, encoding="utf-8")
    (folder / "partner.overlay.yaml").write_text(OVERLAY, encoding="utf-8")
    ours = {"contract": "openapi.yaml", "audiences": AUDIENCES, "console": "always", **plugin}
    settings = {
        "site_name": "Freight",
        "site_url": "https://freight.test/",
        "theme": {"name": "material"},
        "plugins": ["search", {"devportal": ours}],
    }
    config = folder / "mkdocs.yml"
    config.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    return config


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """The sites of a project with three audiences, and what their builds found."""

    config: Path
    folder: Path
    findings: tuple[Finding, ...]

    def text(self, audience: str) -> str:
        """Return all files of a site: as they are, and as people read them."""
        files = sorted(path for path in (self.folder / audience).rglob("*") if path.is_file())
        raw = "\n".join(file.read_bytes().decode("utf-8", "replace") for file in files)
        return f"{raw}\n{unescape(raw)}\n" + "\n".join(str(file) for file in files)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Build all sites once."""
    folder = tmp_path_factory.mktemp("audiences")
    config = write_project(folder)
    with environment(SOURCE_DATE_EPOCH=DAY):
        built = build_audiences(config, site_dir=folder / "sites")
    assert [build_result.site_dir.name for build_result in built] == ["public", "partner", "internal"]
    return Sites(
        config=config,
        folder=folder / "sites",
        findings=tuple(finding for build_result in built for finding in build_result.findings),
    )


def test_nothing_of_others_is_on_the_public_site(sites: Sites) -> None:
    """By a search of all bytes that knows nothing of the toolkit's own."""
    text = sites.text("public")

    assert [secret for secret in SECRETS if secret in text] == []
    assert "x-audience" not in text


def test_each_audience_has_what_is_for_it(sites: Sites) -> None:
    """Marks name one or several."""
    partner, internal = sites.text("partner"), sites.text("internal")

    assert [text for text in PARTNER_ONLY if text not in partner] == []
    assert "holdShipment" not in partner
    assert "holdShipment" in internal
    assert "purchaseCost" in internal
    assert "marginBand" not in internal
    assert "listExperiments" in internal


def test_a_clean_project_is_silent(sites: Sites) -> None:
    """The search finds nothing where nothing is planted."""
    assert [
        str(finding) for finding in sites.findings if finding.rule.startswith(("leak", "contract-audience"))
    ] == []


REDIRECTS = """\
operations: {getShipments: listShipments, fetchBatches: fetchClearingBatches, stopShipment: holdShipment}
tags: {Sendings: Shipments, Clearing: Clearing house}
pages:
  old/batches/: reference/clearing-house/fetch-clearing-batches/
  old/margin/: reference/shipments/list-shipments/#query.marginBand
  old/list/: reference/shipments/list-shipments/
"""


def redirects_for(config: Path, audience: str) -> tuple[list[str], list[str]]:
    """Return the names and addresses whose redirects the site of an audience has, and the problems in the rows."""
    _, inputs = load_project(config, audience=audience)
    material = load_inputs(inputs)
    old = {*material.redirects.pages, *material.redirects.anchors}
    wrong = [str(finding) for finding in material.findings if finding.rule.startswith("redirect")]
    return sorted(address for address in old if "reference/" not in address), wrong


def test_redirects_to_what_others_have_are_left_out(tmp_path: Path) -> None:
    """Those of operations, tags, pages and anchors, with a note; none of their names is on the site."""
    config = write_project(tmp_path)
    (tmp_path / "redirects.yaml").write_text(REDIRECTS, encoding="utf-8")

    public, public_notes = redirects_for(config, "public")
    partner, partner_notes = redirects_for(config, "partner")

    assert public == ["old/list/"]
    assert partner == ["old/batches/", "old/list/", "old/margin/"]
    assert [note.partition("have ")[2].partition(",")[0] for note in public_notes] == [
        "the operation 'fetchClearingBatches'",
        "the operation 'holdShipment'",
        "the tag 'Clearing house'",
        "the page 'reference/clearing-house/fetch-clearing-batches/'",
        "the anchor 'reference/shipments/list-shipments/#query.marginBand'",
    ]
    assert all(": note: " in note and "[redirect-elsewhere]" in note for note in public_notes)
    assert len(partner_notes) == 1
    assert "'holdShipment'" in partner_notes[0]


@pytest.mark.parametrize(
    "row",
    [
        "operations: {getShipments: listShipment}",
        "tags: {Sendings: Shipment}",
        "pages: {old/: reference/clearing-house/fetch-batches/}",
        "pages: {old/: 'reference/shipments/list-shipments/#query.margin'}",
    ],
)
def test_redirects_to_what_no_audience_has_are_wrong(row: str, tmp_path: Path) -> None:
    """On the site of each."""
    config = write_project(tmp_path)
    (tmp_path / "redirects.yaml").write_text(row, encoding="utf-8")

    for audience in ("public", "partner"):
        (problem,) = redirects_for(config, audience)[1]
        assert "[redirect-target]" in problem


def test_an_audience_may_have_an_address_of_its_own(sites: Sites) -> None:
    """`site_url` of an audience is that of its pages."""
    sitemap = (sites.folder / "public/sitemap.xml").read_text(encoding="utf-8")

    assert "https://developers.freight.test/reference/" in sitemap


def leaks(config: Path, site: Path, audience: str = "public") -> list[str]:
    """Return what a search of a folder finds."""
    _, inputs = load_project(config, audience=audience)
    material = LoadedInputs(contract=load_project_contract(inputs))
    return [audience_leak.message for audience_leak in audience_leaks_in(site, material, inputs)]


PLANTED = {
    "path": "Call <code>GET /clearing/batches</code>.",
    "operation": "fetchClearingBatches",
    "tag": "the Clearing house",
    "schema": "see ClearingBatch",
    "parameter": "?marginBand=2",
    "added parameter": "netting_key",
    "property": "Set <code>rebate</code>.",
    "header": "X-Carrier-Quota: 7",
    "enum value": '<pre><code>{\n  "state": "prefunded"\n}</code></pre>',
    "example": "EURCLEAR-7731",
    "default value": "<code>0.0231</code>",
    "price": '<pre><code>{\n  "x": 0.0417\n}</code></pre>',
    "description": "Partners pay\n<b>0.0417</b> less per\nkilometre on the night line.",
    "summary": "Collect the <em>settled</em> batches of a carrier",
    "part of a text": "the lab is trying out this week",
    "address": "https://clearing.freight.test/v1/shipments",
    "event": "onBatchCleared",
    "hidden tag": "Beta lab",
    "operation of a hidden tag": "listExperiments",
    "text of an attribute": '<img alt="Partners pay 0.0417 less per kilometre on the night line.">',
    "escaped as in Markdown": "netting\\_key",
    "property with markup": "purchase<wbr>Cost",
    "escaped": "https:\\/\\/clearing.freight.test\\/v1",
}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_secret_is_found(sites: Sites, tmp_path: Path, kind: str) -> None:
    """Of each kind, as pages and files may have it."""
    text = PLANTED[kind]
    if kind == "part of a text":
        text = f"What {text}"
    (tmp_path / "page.html").write_text(f"<p>{text}</p>", encoding="utf-8")

    assert leaks(sites.config, tmp_path)


def test_secrets_are_found_in_data_and_packed_files(sites: Sites, tmp_path: Path) -> None:
    """Words of a language too, where they are names or values."""
    (tmp_path / "a.json").write_text(json.dumps({"rebate": 1}), encoding="utf-8")
    (tmp_path / "b.yaml").write_text("rebate: 1\nx: multilateral\n", encoding="utf-8")
    (tmp_path / "c.md").write_text("Set `prefunded`.\n", encoding="utf-8")
    (tmp_path / "d.bin").write_bytes(gzip.compress(b"see fetchClearingBatches"))

    found = "\n".join(leaks(sites.config, tmp_path))

    for text in ("'rebate'", "'multilateral'", "'prefunded'", "'fetchClearingBatches'"):
        assert text in found
    assert "only 'partner' may see it" in found


def test_common_words_are_no_secrets(sites: Sites, tmp_path: Path) -> None:
    """Nor are words in a sentence, parts of longer names, and what the own contract has."""
    (tmp_path / "page.html").write_text(
        "<h1>Rebate</h1><p>Ask for a rebate, total and mode. A hold is possible. refetchClearingBatches2</p>"
        "<code>total</code> <code>mode</code> <code>id</code> <code>shp_1</code> <code>Shipment</code>"
        "<p>A house, clearing. Prefunded orders. All batches are welcome.</p>",
        encoding="utf-8",
    )

    assert leaks(sites.config, tmp_path) == []


def test_the_site_of_an_audience_may_have_what_is_for_it(sites: Sites, tmp_path: Path) -> None:
    """A path for partners is no leak on their site, one for the company is."""
    (tmp_path / "page.html").write_text("/clearing/batches fetchClearingBatches", encoding="utf-8")

    assert leaks(sites.config, tmp_path, "partner") == []
    assert leaks(sites.config, tmp_path, "internal")


def test_a_page_that_names_a_path_of_partners_fails_the_build(tmp_path: Path) -> None:
    """Written by hand; `allow` accepts it."""
    config = write_project(tmp_path / "project")
    (config.parent / "docs/index.md").write_text("Ask us about /clearing/batches.\n", encoding="utf-8")

    code, output = run("build", "-f", config, "--audience", "public", "-d", tmp_path / "site", "--no-cache")
    settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    settings["plugins"][1]["devportal"]["audiences"]["public"]["allow"] = ["/clearing/batches"]
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    allowed, _ = run("build", "-f", config, "--audience", "public", "-d", tmp_path / "site", "--no-cache")

    assert (code, allowed) == (1, 0)
    assert "index.html: error: the path '/clearing/batches' is on the site of 'public'" in output
    assert "leak-audience" in output


def run(*arguments: object) -> tuple[int, str]:
    """Return exit code and output of a command."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    return result.exit_code, result.output


def test_an_unknown_audience_is_refused(tmp_path: Path) -> None:
    """With the names that exist, and beside a contract, which has none."""
    config = write_project(tmp_path / "project")

    for command in ("build", "check", "serve"):
        code, output = run(command, "-f", config, "--audience", "partners")
        assert (code, "this project has no audience 'partners'" in output) == (2, True)
        assert "public, partner, internal" in output
    code, output = run("check", "--contract", config.parent / "openapi.yaml", "--audience", "public")
    assert (code, "--audience goes with a project" in output) == (2, True)


def test_the_environment_chooses_an_audience(tmp_path: Path) -> None:
    """For `mkdocs`, which has no option; without it, the first one."""
    config = write_project(tmp_path / "project")
    with environment(DEVPORTAL_AUDIENCE="partner"):
        chosen = load_project(config)[1].audience

    assert (chosen, load_project(config)[1].audience) == ("partner", "public")


def test_an_overlay_of_another_audience_that_cannot_be_read_stops_the_build(tmp_path: Path) -> None:
    """Nobody knows what the site must not have."""
    config = write_project(tmp_path / "project")
    (config.parent / "partner.overlay.yaml").write_text("overlay: 9", encoding="utf-8")

    code, output = run("build", "-f", config, "--audience", "public", "-d", tmp_path / "site", "--no-cache")

    assert (code, "the Overlay version 9 is not supported" in output) == (2, True)


def test_sites_of_audiences_lie_in_no_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who publishes a folder that is a site would publish those in it too."""
    monkeypatch.chdir(tmp_path)
    config = write_project(tmp_path / "project")
    (config.parent / "site/assets/devportal").mkdir(parents=True)

    code, output = run("build", "-f", config, "--audience", "public")

    assert (code, "this folder is a site" in output) == (2, True)


def test_wrong_names_are_reported_at_their_place(tmp_path: Path) -> None:
    """A mark for an audience that does not exist hides the part; a tag to hide that does not exist is an error."""
    contract = CONTRACT.replace("x-audience: internal", "x-audience: intern").replace("Beta lab", "Beta labs")
    config = write_project(tmp_path / "project", contract)

    code, output = run("check", "-f", config)

    assert code == 1
    assert "warning: 'intern' is not an audience of this project" in output
    assert "did you mean 'internal'?" in output
    assert "the audience 'public' hides the tag 'Beta lab', which this contract does not have" in output
    assert output.count("'intern' is not an audience") == 1


def test_a_mark_that_hides_nothing_is_an_error(tmp_path: Path) -> None:
    """One among names, where no part is that could be hidden."""
    contract = CONTRACT.replace(
        "      properties:\n        total:", "      properties:\n        x-audience: partner\n        total:"
    )
    config = write_project(tmp_path / "project", contract)

    code, output = run("check", "-f", config)

    assert code == 1
    assert output.count("error: this mark hides nothing: it stands among the members of 'properties'") == 1


def test_marks_without_audiences_hide_nothing_and_are_reported(tmp_path: Path) -> None:
    """Nobody knows whom the site is for."""
    config = write_project(tmp_path / "project", audiences={})

    code, output = run("check", "-f", config)

    assert code == 0
    assert "marked with x-audience, and no audience is chosen: everybody sees them" in output


def test_files_that_the_contract_refers_to_have_marks_too(tmp_path: Path) -> None:
    """In any of its files."""
    contract = CONTRACT.replace(
        "  /clearing/batches:\n    x-audience: partner\n",
        "  /ledger: {$ref: 'ledger.yaml'}\n  /clearing/batches:\n    x-audience: partner\n",
    )
    config = write_project(tmp_path / "project", contract)
    (config.parent / "ledger.yaml").write_text(
        "get: {x-audience: partner, operationId: readLedgerLines, responses: {'200': {description: Lines.}}}\n",
        encoding="utf-8",
    )

    operations = {
        name: [
            operation.id
            for operation in load_project_contract(load_project(config, audience=name)[1]).api.operations
        ]
        for name in ("public", "partner")
    }

    assert "readLedgerLines" not in operations["public"]
    assert "readLedgerLines" in operations["partner"]


@pytest.mark.parametrize(
    ("audiences", "message"),
    [
        ({"Public Site": {}}, "not a name of an audience"),
        ({"public": {"hide_tag": ["x"]}}, "did you mean 'hide_tags'?"),
        ({"public": {"overlays": [3]}}, "lists 3"),
        (["public"], "not a mapping of audiences"),
        ({"public": {"site_url": "nowhere"}}, "not an address of the web"),
        ({"public": {"nav": "index.md"}}, "nav of the audience 'public' is not a list"),
        ({"public": {"nav": [{"a": 1, "b": 2}]}}, "nav of the audience 'public'"),
        ({"public": {"site_name": ["x"]}}, "site_name of the audience 'public' is not text"),
        ({"public": {}, "partner": {"docs_dir": "nowhere"}}, "nowhere is not a folder"),
        ({"public": {}, "partner": {"docs_dir": "docs/money"}}, "other audiences would get these pages"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(tmp_path: Path, audiences: Any, message: str) -> None:
    """With what is wrong."""
    config = write_project(tmp_path / "project", audiences=audiences)
    (config.parent / "docs/money").mkdir()

    code, output = run("check", "-f", config)

    assert (code, message in output) == (2, True), output


ENTRY = """\
---
id: 2026-11-0{day}-{slug}
title: {title}
date: "2026-11-0{day}"
apis: [{api}]
impact: additive
kind: added
action_required: false
audience: [rest]
{more}covers:
  - operation: "{operation}"
---

## What changed

{title}.

## Who is affected

Nobody has to do anything.
"""


@pytest.fixture(scope="module")
def sites_with_history(tmp_path_factory: pytest.TempPathFactory) -> Sites:
    """Build the sites of a project with a release and a changelog."""
    folder = tmp_path_factory.mktemp("history")
    config = write_project(
        folder, CONTRACT.replace("version: 1.0.0", "version: 2.0.0"), changelog="changelog"
    )
    (folder / "changelog").mkdir()
    (folder / "releases").mkdir()
    older = CONTRACT.replace("fetchClearingBatches", "oldClearingFetch").replace("/experiments:", "/trials:")
    (folder / "releases/1.0.0.yaml").write_text(older, encoding="utf-8")
    (folder / "changelog/2026-11-02-cleared.md").write_text(
        ENTRY.format(
            day=2,
            slug="cleared",
            title="Carriers can settle by batch",
            api="Clearing house",
            more="only_for: [partner]\n",
            operation="GET /clearing/batches",
        ),
        encoding="utf-8",
    )
    (folder / "changelog/2026-11-01-lists.md").write_text(
        ENTRY.format(
            day=1,
            slug="lists",
            title="You can list shipments",
            api="Shipments",
            more="",
            operation="GET /shipments",
        ),
        encoding="utf-8",
    )
    with environment(SOURCE_DATE_EPOCH=DAY):
        built = build_audiences(config, site_dir=folder / "sites")
    return Sites(
        config=config,
        folder=folder / "sites",
        findings=tuple(finding for build_result in built for finding in build_result.findings),
    )


def test_history_is_what_an_audience_may_see(sites_with_history: Sites) -> None:
    """Releases have the same marks, and an entry can be for some audiences only."""
    public, internal = sites_with_history.text("public"), sites_with_history.text("internal")
    partner = sites_with_history.text("partner")

    assert [
        secret for secret in (*SECRETS, "oldClearingFetch", "/trials", "settle by batch") if secret in public
    ] == []
    assert "You can list shipments" in public
    assert (sites_with_history.folder / "public/reference/1.0.0/openapi.yaml").is_file()
    assert "/trials" in internal
    assert "settle by batch" not in internal
    assert "settle by batch" in partner
    assert "oldClearingFetch" not in partner
    assert [str(finding) for finding in sites_with_history.findings if finding.rule.startswith("leak")] == []


def test_an_entry_that_names_a_path_of_partners_is_found(sites_with_history: Sites, tmp_path: Path) -> None:
    """One that is for everybody."""
    (tmp_path / "entry.html").write_text("Now with oldClearingFetch and /trials.", encoding="utf-8")

    found = "\n".join(leaks(sites_with_history.config, tmp_path))

    assert "'oldClearingFetch'" in found


def test_entries_are_checked_with_what_everybody_sees(sites_with_history: Sites) -> None:
    """That an entry is about a hidden part is no problem."""
    code, output = run("check", "-f", sites_with_history.config)

    assert code == 1
    assert output.count("GET /trials: the operation is moved") == 1
    assert "changelog-api" not in output


def test_a_page_can_be_for_some_audiences(tmp_path: Path) -> None:
    """It is in neither the files nor the navigation of others, and may name what is for them."""
    config = write_project(tmp_path / "project")
    settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    settings["nav"] = ["index.md", {"Money": [{"Batches": "money/batches.md"}]}, "reference/index.md"]
    config.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    (config.parent / "docs/money").mkdir()
    (config.parent / "docs/money/batches.md").write_text(
        "---\nonly_for: [partner]\n---\n\n# Settle\n\nCall `/clearing/batches`.\n", encoding="utf-8"
    )

    code, output = run("build", "-f", config, "-d", tmp_path / "sites", "--no-cache")

    assert (code, output.count("warning")) == (0, 0)
    assert (tmp_path / "sites/partner/money/batches/index.html").is_file()
    assert not (tmp_path / "sites/public/money").exists()
    assert "Money" not in (tmp_path / "sites/public/index.html").read_text(encoding="utf-8")
    assert "Money" in (tmp_path / "sites/partner/index.html").read_text(encoding="utf-8")


def test_an_audience_can_have_pages_of_its_own(tmp_path: Path) -> None:
    """Another folder, navigation and name; inserts and links there are checked like all others."""
    partner = {
        **AUDIENCES["partner"],
        "docs_dir": "partner-pages",
        "nav": [{"Anfang": "index.md"}, {"API": "reference/index.md"}],
        "site_name": "Fracht",
    }
    config = write_project(tmp_path / "project", audiences={**AUDIENCES, "partner": partner})
    pages = config.parent / "partner-pages"
    pages.mkdir()
    (pages / "index.md").write_text("# Willkommen\n\nNimm `/clearing/batches`.\n", encoding="utf-8")

    code, output = run("build", "-f", config, "-d", tmp_path / "sites")
    home = (tmp_path / "sites/partner/index.html").read_text(encoding="utf-8")
    (pages / "index.md").write_text("# Hallo\n\n<!-- devportal: operations Nowhere -->\n", encoding="utf-8")
    checked = run("check", "-f", config)[1]
    again = run("build", "-f", config, "-d", tmp_path / "partner", "--audience", "partner")[1]

    assert code == 0, output
    assert all(item in home for item in ("Willkommen", "Fracht"))
    assert "Send freight today" not in home
    assert "Send freight today" in (tmp_path / "sites/public/index.html").read_text(encoding="utf-8")
    assert "partner-pages/index.md:3:1: error" in checked
    assert "partner-pages/index.md:3:1: error" in again


def test_a_page_for_an_audience_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    """And is on the sites of those that it names alone."""
    config = write_project(tmp_path / "project")
    (config.parent / "docs/index.md").write_text(
        "---\nonly_for: [partner, intern]\n---\n\n# Welcome\n", encoding="utf-8"
    )

    _, output = run("check", "-f", config)

    assert output.count("docs/index.md:2:1: warning: 'intern' is not an audience of this project") == 1


@pytest.mark.parametrize(
    "head",
    [
        "---\nonly_for: [partner]\ntitle: a: b\n---\n",
        "---\nonly_for:\n---\n",
        "\n---\nonly_for: [partner]\n---\n",
    ],
)
def test_a_page_whose_audiences_cannot_be_read_is_for_nobody(head: str, tmp_path: Path) -> None:
    """It is an error, and not a page for everybody."""
    config = write_project(tmp_path / "project")
    (config.parent / "docs/terms.md").write_text(f"{head}\n# Terms of partners\n", encoding="utf-8")

    code, output = run("build", "-f", config, "-d", tmp_path / "sites", "--no-cache", "--audience", "public")

    assert (code, "docs/terms.md:1:1: error: 'only_for' of this page names no audience" in output) == (
        1,
        True,
    ), output
    texts = (path.read_bytes() for path in (tmp_path / "sites").rglob("*") if path.is_file())
    assert not any(b"Terms of partners" in text for text in texts)


def test_contact_and_licence_can_be_hidden(tmp_path: Path) -> None:
    """No file of the public site has them."""
    marked = "x-audience: partner}"
    contract = CONTRACT.replace(
        "  version: 1.0.0\n",
        f"  version: 1.0.0\n  contact: {{name: Desk of Quill, {marked}\n  license: {{name: Quillware, {marked}\n",
    )
    config = write_project(tmp_path / "project", contract)

    code, output = run("build", "-f", config, "-d", tmp_path / "sites", "--no-cache", "--audience", "public")

    assert code == 0, output
    texts = (path.read_bytes() for path in (tmp_path / "sites").rglob("*") if path.is_file())
    assert not any(b"Quill" in text for text in texts)


def test_names_that_both_contracts_only_mention_are_no_secrets(tmp_path: Path) -> None:
    """A name that partners' contract declares is one, even if a public description mentions it."""
    contract = CONTRACT.replace(
        "What you send.", "What you send by wrap_sheet and not by netting_key."
    ).replace("Money between carriers.", "Money between carriers by wrap_sheet.")
    config = write_project(tmp_path / "project", contract)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/page.html").write_text("by wrap_sheet, not by netting_key", encoding="utf-8")

    found = "\n".join(leaks(config, tmp_path / "site"))

    assert "the parameter 'netting_key'" in found
    assert "'wrap_sheet'" not in found
