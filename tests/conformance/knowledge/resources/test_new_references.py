"""New resources in place of those that a creation names."""

from pathlib import Path

from devportal.conformance.knowledge.requests.request_variants import request_json
from devportal.conformance.knowledge.resources.new_references import requests_with_new_references
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource
from tests.conformance.running import subject_of

CONTRACT = """
openapi: 3.1.0
info: {title: School, version: "1"}
paths:
  /courses: {post: &create {responses: {"201": {description: Made., content: &content {application/json: {schema: &made
    {type: object, properties: {id: {type: integer}}}}}}}, requestBody: {content: *content}}}
  /students: {post: *create}
  /courses/{course_id}:
    parameters: [{name: course_id, in: path, required: true, schema: {type: integer}}]
    get: &read {responses: {"200": {description: Read., content: *content}}}
  /students/{student_id}:
    parameters: [{name: student_id, in: path, required: true, schema: {type: string}}]
    get: *read
  /enrolments:
    post:
      operationId: enrol
      responses: {"201": {description: Made.}}
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [course_id, student_id, note]
              properties:
                course_id: {type: integer, example: 1}
                student_id: {type: string, example: s1}
                note: {type: string, example: Late}
"""


def enrolment(tmp_path: Path) -> tuple[Subject, Operation]:
    """Return the subject, and the creation that names a course and a student."""
    path = tmp_path / "school.yaml"
    path.write_text(CONTRACT, encoding="utf-8")
    subject = subject_of(path)
    return subject, next(operation for operation in subject.operations if operation.id == "enrol")


def test_new_resources_are_named_in_the_type_of_the_old_ones(tmp_path: Path) -> None:
    """A number stays a number, and what names nothing stays."""
    subject, create = enrolment(tmp_path)
    request = subject.valid(create)
    assert request is not None

    changed = list(requests_with_new_references(subject, create, request, lambda _: "77"))

    assert [request_json(each) for each in changed] == [
        {"course_id": 77, "student_id": "77", "note": "Late"},
    ]


def test_what_a_probe_has_chosen_stays(tmp_path: Path) -> None:
    """Only the other resource is a new one."""
    subject, create = enrolment(tmp_path)
    course = next(each for each in subject.resources if each.path == "/courses/{course_id}")
    below = with_resource_id(subject, course, "5")
    request = below.valid(create)
    assert request is not None
    made: list[Resource] = []

    def create_one(resource: Resource) -> str:
        made.append(resource)
        return "77"

    changed = [
        request_json(each) for each in requests_with_new_references(below, create, request, create_one)
    ]

    assert changed == [{"course_id": 5, "student_id": "77", "note": "Late"}]
    assert [each.path for each in made] == ["/students/{student_id}"]
