"""Resources that belong to others."""

from devportal.conformance.knowledge.resources.child_resources import child_lists, child_types
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

CONTRACT = """\
paths:
  /folders:
    post:
      responses:
        '201': {description: New, content: &folder {application/json: {schema: {properties: {id: {type: integer}}}}}}
  /folders/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: A folder, content: *folder}}
  /notes:
    get:
      parameters: [{name: folder_id, in: query, schema: {type: integer}}]
      responses:
        '200':
          description: Notes
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties: {text: {type: string}, folderId: {type: [integer, 'null']}}
            example: {text: A note.}
      responses:
        '201':
          description: New
          content: &note {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
  /notes/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: A note, content: *note}}
components:
  schemas:
    Note: {properties: {id: {type: integer}, text: {type: string}, folderId: {type: [integer, 'null']}}}
"""


def test_a_creation_may_name_its_parent() -> None:
    """The member for the parent is optional, and the example leaves it out."""
    subject = subject_of_contract(contract(CONTRACT))

    children = [*child_types(subject)]

    assert [(child.parent.path, child.member) for child in children] == [("/folders/{id}", "folderId")]
    assert [list_.parameter and list_.parameter.name for list_ in child_lists(subject, children[0])] == [
        "folder_id"
    ]
