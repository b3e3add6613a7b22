"""Contracts with two paths that differ in the names of their parameters alone."""

from tests.contract.inline import contract
from tests.mock.contracts import Client

FOLDERS = """
paths:
  /folders:
    post: {responses: {'201': {description: Created, content: &folder {application/json: {schema: {
      type: object, properties: {id: {type: string}, path: {type: string}}}}}}}}
  /folders/{folderId}:
    get:
      parameters: [{name: folderId, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A folder, content: *folder}}
    delete:
      parameters: [{name: folderId, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Deleted}}
  /folders/{folderPath}:
    get:
      parameters: [{name: folderPath, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A folder, content: *folder}}
""".lstrip()


def test_what_is_created_is_found_at_the_first_of_two_equal_paths() -> None:
    """OAS 3.1.1 §4.8.8.2 forbids them; nothing tells their requests apart."""
    client = Client(contract(FOLDERS).api)

    created = client.json("POST", "/folders")

    assert client.json("GET", f"/folders/{created['id']}") == created
    assert client.call("DELETE", f"/folders/{created['id']}").status == 204
