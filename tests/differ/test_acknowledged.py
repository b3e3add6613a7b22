"""What somebody has accepted no longer counts."""

import datetime as dt

from devportal.contract import read_contract
from devportal.differ import Policy, compare
from devportal.differ.policy import Acknowledgement
from devportal.documents import parse_document

TEXT = """
openapi: 3.0.3
info: {title: T, version: 1.0.0}
paths:
  /things:
    get: {responses: {'200': {description: OK}}}
  /others:
    get: {responses: {'200': {description: OK}}}
"""


def test_an_accepted_break_asks_for_no_major_version() -> None:
    """A breaking change that is acknowledged is shown, counts for nothing, and leaves the version alone."""
    old = read_contract(parse_document(TEXT, name="old.yaml")).api
    new = read_contract(parse_document(TEXT.split("  /others", maxsplit=1)[0], name="new.yaml")).api
    broken = compare(old, new).changes[0]
    accepted = Acknowledgement(reason="nobody called it", date=dt.date(2026, 11, 22))

    found = compare(old, new, Policy(acknowledged={broken.fingerprint: accepted}))

    assert [change.rule for change in compare(old, new).changes] == [
        "operation.removed",
        "doc.version.unchanged",
    ]
    assert [(change.rule, change.acknowledged) for change in found.changes] == [
        ("operation.removed", accepted)
    ]
    assert found.worst is None
