"""A shared schema, from the contract and the records of a site."""

import pytest

from devportal.contract import Api
from devportal.docs.contract_output import schema_data
from devportal.docs.records import parse_records
from devportal.docs.schemas import describe_schema
from devportal.errors import InvalidSettings
from tests.contracts import own_contract

from .sites import SITE_URL, records_text


@pytest.fixture(scope="module")
def api() -> Api:
    """Return this project's contract."""
    return own_contract().api


@pytest.mark.parametrize("asked", ["NewMessage", "newmessage", "#/components/schemas/NewMessage"])
def test_a_schema_has_fields_and_users(asked: str, api: Api) -> None:
    """By its name in any case, or by a reference."""
    described = describe_schema(api, asked)

    fields = {field.name: field for field in described.body.fields}
    assert (described.name, fields["to"].required, fields["media.url"].type) == ("NewMessage", True, "string")
    assert "POST /v1/messages" in described.used_by
    assert "GET /v1/calls" not in described.used_by


def test_an_unknown_schema_is_an_error(api: Api) -> None:
    """With what was perhaps meant."""
    with pytest.raises(InvalidSettings) as similar:
        describe_schema(api, "NewMesage")
    with pytest.raises(InvalidSettings) as other:
        describe_schema(api, "\x00")

    assert "NewMessage" in similar.value.help
    assert "write the name" in other.value.help


def test_a_schema_has_its_proof(api: Api) -> None:
    """What the site says of it; all of it is null if the site says nothing."""
    rows = [{"schema": "NewMessage", "stability": "beta", "since": "1.1.0", "page": "schemas/new-message.md"}]
    described = describe_schema(api, "NewMessage")

    known = schema_data(parse_records(records_text(schemas=rows)), described)
    unknown = schema_data(parse_records(records_text()), described)
    assert (known["stability"], known["since"], known["url"]) == (
        "beta",
        "1.1.0",
        f"{SITE_URL}schemas/new-message/",
    )
    assert (unknown["stability"], unknown["since"], unknown["url"]) == (None, None, None)
