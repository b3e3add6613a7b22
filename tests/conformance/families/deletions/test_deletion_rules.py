"""What has to be empty before it is deleted."""

import pytest

from devportal.conformance.families.deletions.deletion_rules import deletion_rule_probes
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

ID = "{name: bucket_id, in: path, required: true, schema: {type: string}}"
ONE = "{type: object, properties: {id: {type: string}, name: {type: string}}}"
BODY = f"content: {{application/json: {{schema: {ONE}}}}}"
LIST = f"content: {{application/json: {{schema: {{type: array, items: {ONE}}}}}}}"
CREATION = f"{{requestBody: {{{BODY}}}, responses: {{'201': {{description: Made, {BODY}}}}}}}"
BUCKETS = f"""\
paths:
  /buckets:
    post: {CREATION}
  /buckets/{{bucket_id}}:
    parameters: [{ID}]
    get: {{responses: {{'200': {{description: A bucket, {BODY}}}}}}}
    delete: {{responses: {{'204': {{description: Gone}}, '409': {{description: The bucket is not empty.}}}}}}
  /buckets/{{bucket_id}}/items:
    parameters: [{ID}]
    get: {{responses: {{'200': {{description: Items, {LIST}}}}}}}
    post: {CREATION}
"""
FILES = f"""\
  /buckets/{{bucket_id}}/files/{{name}}:
    parameters: [{ID}, {{name: name, in: path, required: true, schema: {{type: string}}}}]
    put: {{requestBody: {{content: {{image/png: {{}}}}}}, responses: {{'204': {{description: Stored}}}}}}
"""


@pytest.mark.parametrize(("others", "count"), [("", 1), (FILES, 0)])
def test_what_is_below_it_is_what_it_must_be_empty_of(others: str, count: int) -> None:
    """If files are below it as well, they may be all that counts."""
    subject = subject_of_contract(contract(BUCKETS + others))
    (bucket,) = (each for each in subject.resources if each.parameter == "bucket_id")
    assert bucket.delete is not None

    assert len([*deletion_rule_probes(subject, bucket, bucket.delete)]) == count
