"""Resource types and lists that contracts describe in other ways than ours."""

from devportal.contract.conventions import default_conventions
from devportal.contract.resources import find_resources, object_properties
from tests.conformance.families.samples import CONTRACT
from tests.conformance.running import subject_of
from tests.contract.inline import contract


def test_a_member_behind_an_all_of_or_a_union_with_null_has_its_keywords() -> None:
    """`allOf` with one reference, and `oneOf` with a reference and null, are the schema that they wrap."""
    subject = subject_of(CONTRACT)
    schema = next(schema for schema in subject.api.schemas.values() if schema.name == "Sample")

    members = {property_.name: property_.schema for property_ in object_properties(subject.api, schema)}

    assert members["status"].enum == ("registered", "received", "finished")
    assert members["status"].read_only
    assert [property_.name for property_ in members["store"].properties] == ["freezer", "shelf"]
    assert members["store"].nullable


def test_the_address_of_the_next_page_is_found_in_camel_case() -> None:
    """`nextPage` is `next_page`: names are compared without regard to case and separators."""
    listing = next(
        listing for listing in subject_of(CONTRACT).listings if listing.operation.id == "listSamples"
    )

    assert listing.next == ("nextPage",)


def test_a_job_is_created_by_the_request_that_starts_it() -> None:
    """A POST of another path that returns the resource and documents its address creates it."""
    resources = {resource.path: resource for resource in subject_of(CONTRACT).resources}

    job = resources["/jobs/{jobId}"]
    assert job.create is not None
    assert job.create.id == "startExport"
    assert job.is_started
    assert not resources["/samples/{sampleId}"].is_started


LOANS = """\
paths:
  /books/{bookId}/loans:
    parameters: [{name: bookId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: lendBook
      responses:
        '201':
          description: Lent.
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}
  /loans/{loanId}:
    parameters: [{name: loanId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getLoan
      responses:
        '200': {description: Loan, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}
  /loans/{loanId}/renewals:
    parameters: [{name: loanId, in: path, required: true, schema: {type: string}}]
    post:
      operationId: renewLoan
      responses:
        '201':
          description: Renewed.
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}
components:
  schemas:
    Loan: {type: object, required: [id], properties: {id: {type: string}}}
"""


def test_a_resource_with_an_address_of_its_own_is_created_below_another() -> None:
    """`POST /books/{bookId}/loans` creates what `/loans/{loanId}` identifies; what is below a loan does not."""
    resources = {
        resource.path: resource for resource in find_resources(contract(LOANS).api, default_conventions())
    }

    loan = resources["/loans/{loanId}"]
    assert loan.create is not None
    assert loan.create.id == "lendBook"
    assert loan.is_started
