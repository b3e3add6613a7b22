"""The generated settings of Schemathesis."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.conformance.run.options import Options
from devportal.conformance.schemathesis.settings import (
    acceptable_statuses,
    refuses_valid_data,
    schemathesis_settings,
    to_toml,
)
from devportal.contract import load_contract
from devportal.contract.conventions import default_conventions
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import CONTRACT, subject_of
from tests.contracts import contract_at

API = contract_at(CONTRACT).api
CONVENTIONS = default_conventions()
OPTIONS = Options(
    url="http://127.0.0.1:1", contract=CONTRACT, credentials=single_credential("a-secret-token")
)
TEXT = st.text(st.characters(codec="utf-8"))
SCALARS = st.one_of(TEXT, st.integers(-(2**60), 2**60), st.booleans())
TABLES = st.recursive(
    st.dictionaries(TEXT, st.one_of(SCALARS, st.lists(SCALARS))),
    lambda inner: st.dictionaries(TEXT, st.one_of(inner, SCALARS, st.lists(inner, min_size=1))),
    max_leaves=8,
)


@given(TABLES)
def test_toml_reads_back(values: dict[str, object]) -> None:
    """Whatever is written as TOML is what a TOML reader reads."""
    assert tomllib.loads(to_toml(values)) == values


def test_what_is_always_set() -> None:
    """Reproducible, strict about warnings, sanitised, slower on 429; and without the secret."""
    text = to_toml(schemathesis_settings(subject_of(), OPTIONS))
    values = tomllib.loads(text)

    assert values["generation"]["database"] == "none"
    assert values["seed"] == 1
    assert values["warnings"]["fail-on"] is True
    assert values["suppress-health-check"] == ["filter_too_much"]
    assert values["continue-on-failure"] is True
    assert values["output"]["sanitization"]["enabled"] is True
    assert values["rate-limit"] == "auto"
    assert values["auth"]["openapi"]["token"] == {"bearer": "${DEVPORTAL_CONFORMANCE_BEARER_TOKEN}"}
    assert "a-secret-token" not in text


def test_undeclared_methods_are_sent_once() -> None:
    """Those that our own check sends are left to it."""
    coverage = schemathesis_settings(subject_of(), OPTIONS)["phases"]["coverage"]

    assert coverage["unexpected-methods"] == ["OPTIONS", "QUERY", "TRACE"]


def test_documented_refusals_of_valid_data_are_acceptable() -> None:
    """422 is where it is documented, 400 beside it and 405 are not; 404 and 409 always are."""
    register, read, _ = API.operations

    assert 422 in acceptable_statuses(register, CONVENTIONS)
    assert not {400, 405, 415, 406} & set(acceptable_statuses(register, CONVENTIONS))
    assert refuses_valid_data(register, CONVENTIONS)
    assert not refuses_valid_data(read, CONVENTIONS)


def test_what_default_covers_is_acceptable(tmp_path: Path) -> None:
    """`default` is for every status that is not declared; what is declared keeps its own meaning."""
    text = """openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths:
  /a:
    get: {operationId: a, responses: {default: {description: All}}}
    post: {operationId: b, responses: {'201': {description: OK}, default: {description: Error}}}
    put: {operationId: c, responses: {'400': {description: a}, '422': {description: a}, default: {description: a}}}
    patch: {operationId: d, responses: {'200': {description: OK}, '5XX': {description: Error}}}
"""
    path = tmp_path / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    everything, errors, declared, none = (
        acceptable_statuses(operation, CONVENTIONS)
        for operation in sorted(load_contract(path).api.operations, key=lambda item: item.id)
    )

    assert "4XX" in everything
    assert everything == errors
    assert {418, 422, 499} <= set(declared)
    assert 400 not in declared
    assert none == ("2XX", "3XX", 401, 403, 404, 409, 429, "5XX")


def test_a_cursor_may_be_refused_with_400(tmp_path: Path) -> None:
    """No value but one that the deployment has given out is a cursor, whatever its type allows."""
    text = """openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths:
  /a:
    parameters: [{name: after, in: query, schema: {type: string}}]
    get: {operationId: a, responses: {'200': {description: a}, '400': {description: a}, '422': {description: a}}}
  /b:
    parameters: [{name: colour, in: query, schema: {type: string}}]
    get: {operationId: b, responses: {'200': {description: a}, '400': {description: a}, '422': {description: a}}}
"""
    path = tmp_path / "openapi.yaml"
    path.write_text(text, encoding="utf-8")
    paged, other = load_contract(path).api.operations

    assert 400 in acceptable_statuses(paged, CONVENTIONS)
    assert 400 not in acceptable_statuses(other, CONVENTIONS)


def test_a_method_check_needs_a_promise(tmp_path: Path) -> None:
    """Where no operation of a path documents 405, another answer to an undeclared method is no fault."""
    file = tmp_path / "plain.yaml"
    file.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\n"
        "paths: {/a: {get: {responses: {'200': {description: ok}}}}}\n"
    )

    plain = schemathesis_settings(subject_of(file), OPTIONS)["operations"][0]["checks"]
    promised = schemathesis_settings(subject_of(), OPTIONS)["operations"][0]["checks"]

    assert plain["unsupported_method"] == {"enabled": False}
    assert promised["unsupported_method"] == {"enabled": True}


def test_a_class_of_statuses_promises_no_405(tmp_path: Path) -> None:
    """`4XX` allows any refusal: a gateway's 404 to an undeclared method is one."""
    file = tmp_path / "classes.yaml"
    file.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\n"
        "paths: {/a: {get: {responses: {'200': {description: ok}, 4XX: {description: refused}}}}}\n"
    )

    checks = schemathesis_settings(subject_of(file), OPTIONS)["operations"][0]["checks"]

    assert checks["unsupported_method"] == {"enabled": False}
    assert checks["allow_header_conformance"] == {"enabled": False}


@pytest.mark.parametrize(
    ("method", "documented", "is_judged"),
    [("delete", "401", False), ("delete", "404", True), ("delete", "default", True), ("post", "401", True)],
)
def test_a_deletion_without_refusals_is_done_whatever_it_names(
    tmp_path: Path, method: str, documented: str, *, is_judged: bool
) -> None:
    """What is gone and what never was are one to it; where a refusal is documented, it is promised."""
    file = tmp_path / "plain.yaml"
    responses = f"{{'204': {{description: done}}, '{documented}': {{description: no}}}}"
    file.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\n"
        f"paths: {{/a: {{{method}: {{responses: {responses}}}}}}}\n"
    )

    checks = schemathesis_settings(subject_of(file), OPTIONS)["operations"][0]["checks"]

    assert ("negative_data_rejection" not in checks) is is_judged


@pytest.mark.parametrize(("kind", "value"), [("integer", 1001), ("string", "1001")])
def test_known_values_have_the_type_of_their_parameter(tmp_path: Path, kind: str, value: object) -> None:
    """The text of a number would be an invalid integer, and its success a failure."""
    file = tmp_path / "parcels.yaml"
    file.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\n"
        "paths: {'/a/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: "
        f"{{type: {kind}}}}}], responses: {{'200': {{description: ok}}}}}}}}}}\n"
    )
    subject = replace(subject_of(file), values={"id": "1001"})

    dictionaries = schemathesis_settings(subject, OPTIONS)["dictionaries"]

    assert dictionaries == {"GET /a/{id} path id": {"values": [value]}}


def test_half_of_the_changes_are_of_any_version(tmp_path: Path) -> None:
    """No generated `If-Match` is the tag of a resource: each change would end in 412, whatever its body is."""
    file = tmp_path / "parcels.yaml"
    file.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\n"
        "paths: {'/a': {patch: {parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}], "
        "responses: {'200': {description: ok}}}}}\n"
    )

    settings = schemathesis_settings(subject_of(file), OPTIONS)

    assert settings["dictionaries"] == {"PATCH /a header If-Match": {"values": ["*"]}}
    assert [*settings["operations"][0]["parameters"]] == ["header.If-Match"]
