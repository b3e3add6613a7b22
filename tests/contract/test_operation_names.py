"""Which operation a link leads to."""

import pytest

from devportal.contract import LinkTargets, Operation
from tests.contract.inline import api

OK = "responses: {'200': {description: OK}}"


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("operationRef: '#/paths/~1a~1{id}/get'", "/a/{id}"),
        ("operationRef: '#/paths/~1b~1{id}/get'", "/b/{id}"),
        ("operationRef: '#/paths/~1b~1%7Bid%7D/get'", "/b/{id}"),
        ("operationRef: '#/components/pathItems/P/get'", "/a/{id}"),
        ("operationId: other", "/other"),
        ("operationId: get-a-id", ""),
        ("operationRef: 'https://example.com/api.yaml#/paths/~1a/get'", ""),
    ],
)
def test_a_link_leads_to_the_path_that_it_names(link: str, path: str) -> None:
    """Also where several share a path item; to the first of them where it names that, and to no made id."""
    read = api(f"""\
        paths:
          /a/{{id}}: {{$ref: '#/components/pathItems/P'}}
          /b/{{id}}: {{$ref: '#/components/pathItems/P'}}
          /other:
            get:
              operationId: other
              responses: {{'200': {{description: OK, links: {{l: {{{link}}}}}}}}}
        components:
          pathItems:
            P:
              parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
              get: {{{OK}}}
        """)
    (named,) = read.operations[2].responses[0].links

    found: Operation | None = LinkTargets(read.operations).of(named)

    assert (found.path if found is not None else "") == path
