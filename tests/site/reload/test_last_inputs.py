"""Contracts of a served portal: what has not changed is not parsed again, and the whole is what it would be anew."""

from datetime import date
from pathlib import Path

from devportal.contract.published.bundle import bundle
from devportal.project.inputs import Inputs, load_project_contract
from devportal.site.reload.last_inputs import LastInputs

ROOT = """\
openapi: 3.1.0
info: {title: Parcels, version: "1"}
paths:
  /parcels:
    get:
      operationId: findParcels
      description: Find parcels.
      parameters: [{$ref: "parts.yaml#/day"}]
      responses: {"200": {description: All of them.}}
"""
PARTS = """\
day:
  name: day
  in: query
  description: A day.
  schema: {type: object, properties: {own: {type: string, x-internal: true}, day: {type: string}}}
"""


def test_files_that_have_not_changed_are_not_parsed_again(tmp_path: Path) -> None:
    """An edit of one file of a contract parses that one; parts are left out of what was parsed before, too."""
    (tmp_path / "openapi.yaml").write_text(ROOT, encoding="utf-8")
    (tmp_path / "parts.yaml").write_text(PARTS.replace(", x-internal: true", ""), encoding="utf-8")
    inputs = Inputs(root=tmp_path, today=date(2026, 11, 29), contract=tmp_path / "openapi.yaml")
    last = LastInputs()

    first = last.contract(inputs, load_project_contract)
    (tmp_path / "openapi.yaml").write_text(ROOT.replace("Find parcels", "Find some"), encoding="utf-8")
    second = last.contract(inputs, load_project_contract)
    (tmp_path / "parts.yaml").write_text(PARTS, encoding="utf-8")
    third = last.contract(inputs, load_project_contract)
    (tmp_path / "openapi.yaml").write_text(ROOT, encoding="utf-8")
    fourth = last.contract(inputs, load_project_contract)

    parts = [contract.source.documents()["parts.yaml"] for contract in (first, second)]
    assert parts[0] is parts[1]
    assert second.api.operations[0].description == "Find some."
    assert "own" not in str(bundle(third))
    assert bundle(fourth) == bundle(load_project_contract(inputs))
    assert fourth.api == load_project_contract(inputs).api
