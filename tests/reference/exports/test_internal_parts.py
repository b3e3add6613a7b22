"""What is marked `x-internal: true` reaches no output, whatever kind of part it is."""

import json
from textwrap import dedent

import pytest

from devportal.contract import Contract, read_contract
from devportal.contract.published.bundle import bundle
from devportal.documents import parse_document
from devportal.reference.exports.postman import postman_collection
from tests.reference.reading import pages_of

SECRET = "zzzsecret"
HEAD = "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n"
OK = "responses: {'200': {description: OK}}"

PARTS = {
    "operation": f"paths: {{/a: {{get: {{MARK, summary: SECRET, {OK}}}, put: {{{OK}}}}}}}",
    "path item": f"paths: {{/SECRET: {{MARK, get: {{{OK}}}}}, /b: {{get: {{{OK}}}}}}}",
    "shared path item": f"""
        paths: {{/SECRET: {{$ref: '#/components/pathItems/P'}}, /b: {{get: {{{OK}}}}}}}
        components: {{pathItems: {{P: {{MARK, get: {{{OK}}}}}}}}}
        """,
    "parameter": f"""
        paths: {{/a: {{get: {{parameters: [{{MARK, name: SECRET, in: query, schema: {{}}}}], {OK}}}}}}}
        """,
    "shared parameter": f"""
        paths: {{/a: {{get: {{parameters: [{{$ref: '#/components/parameters/P'}}], {OK}}}}}}}
        components: {{parameters: {{P: {{MARK, name: SECRET, in: query, schema: {{}}}}}}}}
        """,
    "reference to a parameter": f"""
        paths:
          /a:
            get: {{parameters: [{{MARK, $ref: '#/components/parameters/P', description: SECRET}}], {OK}}}
        components: {{parameters: {{P: {{name: p, in: query, schema: {{}}}}}}}}
        """,
    "request body": f"""
        paths: {{/a: {{post: {{requestBody: {{MARK, description: SECRET, content: {{a/b: {{}}}}}}, {OK}}}}}}}
        """,
    "media type": f"""
        paths: {{/a: {{post: {{requestBody: {{content: {{a/b: {{}}, a/SECRET: {{MARK}}}}}}, {OK}}}}}}}
        """,
    "encoding": f"""
        paths:
          /a:
            post:
              requestBody:
                content:
                  multipart/form-data:
                    schema: {{type: object, properties: {{p: {{type: string}}}}}}
                    encoding: {{p: {{MARK, contentType: image/SECRET}}}}
              {OK}
        """,
    "response": """
        paths: {/a: {get: {responses: {'200': {description: OK}, '400': {MARK, description: SECRET}}}}}
        """,
    "header": """
        paths:
          /a:
            get: {responses: {'200': {description: OK, headers: {X-SECRET: {MARK, schema: {type: string}}}}}}
        """,
    "example": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    a/b: {schema: {}, examples: {a: {value: 1}, b: {MARK, summary: SECRET, value: 2}}}
        """,
    "link": """
        paths:
          /a: {get: {operationId: a, responses: {'200': {description: OK, links: {L: {MARK, operationId: a,
            description: SECRET}}}}}}
        """,
    "link to an operation by its id": """
        paths:
          /a: {get: {responses: {'200': {description: OK, links: {L: {operationId: SECRET}}}}}}
          /SECRET: {get: {MARK, operationId: SECRET, responses: {'200': {description: OK}}}}
        """,
    "link to an operation by reference": """
        paths:
          /a:
            get: {responses: {'200': {description: OK, links: {L: {operationRef: '#/paths/~1SECRET/get'}}}}}
          /SECRET: {get: {MARK, operationId: SECRET, responses: {'200': {description: OK}}}}
        """,
    "shared link": """
        paths:
          /a: {get: {responses: {'200': {description: OK, links: {L: {$ref: '#/components/links/L'}}}}}}
          /SECRET: {get: {MARK, operationId: SECRET, responses: {'200': {description: OK}}}}
        components: {links: {L: {operationId: SECRET}}}
        """,
    "successor": f"""
        paths:
          /a: {{get: {{deprecated: true, x-successor: SECRET, {OK}}}}}
          /b: {{get: {{deprecated: true, x-successor: GET /SECRET, {OK}}}}}
          /SECRET: {{get: {{MARK, operationId: SECRET, {OK}}}}}
        """,
    "callback": f"""
        paths:
          /a: {{post: {{callbacks: {{c: {{MARK, '{{$url}}': {{post: {{summary: SECRET, {OK}}}}}}}}}, {OK}}}}}
        """,
    "webhook": f"""
        paths: {{/a: {{get: {{{OK}}}}}}}
        webhooks: {{w: {{MARK, post: {{summary: SECRET, {OK}}}}}}}
        """,
    "tag": f"""
        paths: {{/a: {{get: {{tags: [SECRET], {OK}}}}}}}
        tags: [{{MARK, name: SECRET, description: SECRET}}]
        """,
    "server": f"""
        paths: {{/a: {{get: {{{OK}}}}}}}
        servers: [{{url: 'https://a.example'}}, {{MARK, url: 'https://SECRET.example'}}]
        """,
    "security scheme": f"""
        paths: {{/a: {{get: {{security: [{{SECRET: []}}, {{key: []}}], {OK}}}}}}}
        components:
          securitySchemes:
            SECRET: {{MARK, type: apiKey, in: header, name: SECRET}}
            key: {{type: apiKey, in: header, name: K}}
        """,
    "operation for an internal security scheme": f"""
        paths: {{/a: {{get: {{security: [{{key: []}}], summary: SECRET, {OK}}}}}, /b: {{get: {{{OK}}}}}}}
        components: {{securitySchemes: {{key: {{MARK, type: apiKey, in: header, name: K}}}}}}
        """,
    "problem type": f"""
        paths: {{/a: {{get: {{{OK}}}}}}}
        x-problem-types:
          - {{type: 'https://a.example/p', title: P, status: 400}}
          - {{MARK, type: 'https://a.example/SECRET', title: SECRET, status: 422}}
        """,
    "external documentation": f"""
        paths: {{/a: {{get: {{externalDocs: {{MARK, url: 'https://SECRET.example'}}, {OK}}}}}}}
        """,
    "code sample": f"""
        paths:
          /a:
            get:
              x-codeSamples: [{{lang: Shell, source: curl}}, {{MARK, lang: SECRET, source: SECRET}}]
              {OK}
        """,
    "flow of a security scheme": f"""
        paths: {{/a: {{get: {{security: [{{oauth: []}}], {OK}}}}}}}
        components:
          securitySchemes:
            oauth:
              type: oauth2
              flows:
                clientCredentials: {{tokenUrl: 'https://a.example/token', scopes: {{}}}}
                implicit: {{MARK, authorizationUrl: 'https://SECRET.example', scopes: {{}}}}
        """,
    "group of internal tags": f"""
        paths: {{/a: {{get: {{tags: [b, c], {OK}}}}}}}
        tags: [{{MARK, name: b}}, {{name: c}}]
        x-tagGroups: [{{name: SECRET, tags: [b]}}, {{name: All, tags: [c]}}]
        """,
    "property required beside its part": """
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}, {required: [SECRET]}]}
            B: {type: object, properties: {a: {}, SECRET: {MARK, type: string}}}
        """,
    "property required beside allOf": """
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}], required: [SECRET], properties: {c: {}}}
            B: {type: object, properties: {a: {}, SECRET: {MARK, type: string}}}
        """,
    "property required by a branch": """
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}], anyOf: [{required: [a]}, {required: [SECRET]}]}
            B: {type: object, properties: {a: {}, SECRET: {MARK, type: string}}}
        """,
    "property in a negation": """
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}], not: {required: [a, SECRET]}}
            B: {type: object, properties: {a: {}, SECRET: {MARK, type: string}}}
        """,
    "property in a condition": """
        components:
          schemas:
            A:
              allOf: [{$ref: '#/components/schemas/B'}]
              if: {properties: {SECRET: {const: 1}}, required: [SECRET]}
              then: {required: [a]}
            B: {type: object, properties: {a: {}, SECRET: {MARK, type: string}}}
        """,
    "property that another depends on": """
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}], dependentRequired: {a: [SECRET]}}
            B: {type: object, properties: {a: {}, SECRET: {MARK, type: string}}}
        """,
    "value of a discriminator": """
        components:
          schemas:
            A:
              type: object
              properties: {kind: {type: string, enum: [b, SECRET]}}
              oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}]
              discriminator: {propertyName: kind, mapping: {b: B, SECRET: C}}
            B: {type: object}
            C: {MARK, type: object}
        """,
    "member of an example as text": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/A'}
                      example: '{"a": 1, "SECRET": 2}'
        components: {schemas: {A: {type: object, properties: {a: {}, SECRET: {MARK}}}}}
        """,
    "member of a named example as text": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/A'}
                      examples: {e: {value: '{"a": 1, "SECRET": 2}'}}
        components: {schemas: {A: {type: object, properties: {a: {}, SECRET: {MARK}}}}}
        """,
    "member of an example in another language": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    application/xml:
                      schema: {$ref: '#/components/schemas/A'}
                      example: <A><SECRET>1</SECRET></A>
        components: {schemas: {A: {type: object, properties: {a: {}, SECRET: {MARK}}}}}
        """,
    "member of an example as it is sent": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    application/xml:
                      schema: {$ref: '#/components/schemas/A'}
                      examples: {e: {dataValue: {SECRET: 1}, serializedValue: <A><SECRET>1</SECRET></A>}}
        components: {schemas: {A: {type: object, properties: {a: {}, SECRET: {MARK}}}}}
        """,
    "member of an example beside its part": """
        components:
          schemas:
            A: {allOf: [{$ref: '#/components/schemas/B'}, {example: {a: 1, SECRET: 1}, default: {SECRET: 1}}]}
            B: {type: object, properties: {a: {}, SECRET: {MARK}}}
        """,
    "member of values": """
        components:
          schemas:
            A: {type: object, enum: [{a: 1, SECRET: 1}, {a: 2}], properties: {SECRET: {MARK}, a: {}}}
            B: {type: object, const: {a: 1, SECRET: 1}, properties: {SECRET: {MARK}, a: {}}}
        """,
    "schema": "components: {schemas: {A: {type: object}, SECRET: {MARK, type: object, properties: {a: {}}}}}",
    "property": """
        components:
          schemas: {A: {type: object, required: [SECRET], properties: {a: {}, SECRET: {MARK, type: string}}}}
        """,
    "property by reference": """
        components:
          schemas:
            A: {type: object, properties: {a: {}, SECRET: {$ref: '#/components/schemas/B'}}}
            B: {MARK, type: string, description: SECRET}
        """,
    "branch": "components: {schemas: {A: {oneOf: [{type: string}, {MARK, type: object, title: SECRET}]}}}",
    "items": "components: {schemas: {A: {type: array, items: {MARK, type: string, description: SECRET}}}}",
    "mapped schema": """
        components:
          schemas:
            A:
              type: object
              properties: {kind: {type: string}}
              oneOf: [{$ref: '#/components/schemas/B'}, {$ref: '#/components/schemas/C'}]
              discriminator: {propertyName: kind, mapping: {b: B, SECRET: C}}
            B: {type: object}
            C: {MARK, type: object, title: SECRET}
        """,
    "member of an example": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    application/json:
                      schema: {$ref: '#/components/schemas/A'}
                      examples: {e: {value: [{a: 1, b: {SECRET: 2}}]}}
        components:
          schemas:
            A: {type: array, items: {allOf: [{$ref: '#/components/schemas/B'}]}}
            B: {type: object, properties: {a: {type: integer}, b: {$ref: '#/components/schemas/C'}}}
            C: {type: object, properties: {SECRET: {MARK, type: integer}}}
        """,
    "member of a default": """
        components:
          schemas:
            A: {type: object, default: {SECRET: 1}, properties: {SECRET: {MARK, type: integer}, b: {}}}
        """,
    "successor of a parameter": f"""
        paths:
          /a:
            get:
              parameters:
                - {{name: p, in: query, deprecated: true, x-successor: SECRET, schema: {{}}}}
                - {{MARK, name: SECRET, in: query, schema: {{}}}}
              {OK}
        """,
    "successor of a parameter that is an operation": f"""
        paths:
          /a:
            get:
              parameters: [{{name: p, in: query, deprecated: true, x-successor: SECRET, schema: {{}}}}]
              {OK}
          /SECRET: {{get: {{MARK, operationId: SECRET, {OK}}}}}
        """,
    "successor by reference": f"""
        paths:
          /a: {{get: {{deprecated: true, x-successor: '#/paths/~1SECRET/get', {OK}}}}}
          /SECRET: {{get: {{MARK, {OK}}}}}
        """,
    "tag of internal operations": f"""
        paths: {{/a: {{get: {{{OK}}}}}, /b: {{get: {{MARK, tags: [SECRET], {OK}}}}}}}
        tags: [{{name: SECRET, description: SECRET}}]
        """,
    "parent that only has internal operations": f"""
        paths: {{/a: {{get: {{{OK}}}}}, /b: {{get: {{MARK, tags: [SECRET], {OK}}}}}}}
        tags: [{{name: SECRET, description: SECRET}}, {{name: x, parent: SECRET}}]
        """,
    "security scheme of internal operations": f"""
        paths: {{/a: {{get: {{{OK}}}}}, /b: {{get: {{MARK, security: [{{SECRET: []}}], {OK}}}}}}}
        components: {{securitySchemes: {{SECRET: {{type: apiKey, in: header, name: SECRET}}}}}}
        """,
    "scope of internal operations": f"""
        paths:
          /a: {{get: {{security: [{{oauth: [read]}}], {OK}}}}}
          /b: {{get: {{MARK, security: [{{oauth: [SECRET]}}], {OK}}}}}
        components:
          securitySchemes:
            oauth:
              type: oauth2
              flows:
                clientCredentials:
                  tokenUrl: https://a.example/token
                  scopes: {{read: Read., SECRET: SECRET}}
        """,
    "server of an operation": f"""
        paths:
          /a:
            get:
              servers: [{{url: 'https://a.example'}}, {{MARK, url: 'https://SECRET.example'}}]
              {OK}
        """,
    "server of a path": f"""
        paths:
          /a:
            servers: [{{url: 'https://a.example'}}, {{MARK, url: 'https://SECRET.example'}}]
            get: {{{OK}}}
        """,
    "server of a link": """
        paths:
          /a:
            get:
              operationId: a
              responses:
                '200':
                  description: OK
                  links: {L: {operationId: a, server: {MARK, url: 'https://SECRET.example'}}}
        """,
    "variable of a server": f"""
        paths: {{/a: {{get: {{{OK}}}}}}}
        servers:
          - url: https://a.example
            variables: {{v: {{default: a}}, w: {{MARK, default: SECRET}}}}
        """,
    "variable in the address of a server": f"""
        paths: {{/a: {{get: {{{OK}}}}}}}
        servers:
          - {{url: 'https://a.example'}}
          - {{url: 'https://SECRET.example/{{w}}', variables: {{w: {{MARK, default: b}}}}}}
        """,
    "value that a link passes on": """
        paths:
          /a:
            get:
              operationId: a
              parameters:
                - {name: q, in: query, schema: {}}
                - {MARK, name: SECRET, in: query, schema: {}}
              responses:
                '200':
                  description: OK
                  links: {L: {operationId: a, parameters: {q: 1, query.SECRET: 2}}}
        """,
    "shared example": """
        paths:
          /a:
            get:
              responses:
                '200':
                  description: OK
                  content:
                    a/b: {schema: {}, examples: {a: {value: 1}, b: {$ref: '#/components/examples/SECRET'}}}
        components: {examples: {SECRET: {MARK, value: SECRET}}}
        """,
    "shared header of internal operations": f"""
        paths:
          /a: {{get: {{{OK}}}}}
          /b:
            get:
              MARK
              responses:
                '200': {{description: OK, headers: {{X: {{$ref: '#/components/headers/SECRET'}}}}}}
        components: {{headers: {{SECRET: {{schema: {{type: string}}, description: SECRET}}}}}}
        """,
    "encoding of a property": f"""
        paths:
          /a:
            post:
              requestBody:
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      properties: {{p: {{type: string}}, SECRET: {{MARK, type: string}}}}
                    encoding: {{SECRET: {{contentType: image/png}}}}
              {OK}
        """,
    "property of a discriminator": """
        components:
          schemas:
            A:
              type: object
              properties: {a: {}, SECRET: {MARK, type: string}}
              oneOf: [{$ref: '#/components/schemas/B'}]
              discriminator: {propertyName: SECRET}
            B: {type: object, properties: {x: {}}}
        """,
    "expression of a callback": f"""
        paths:
          /a:
            post:
              callbacks:
                c:
                  '{{$request.body#/url}}': {{post: {{{OK}}}}}
                  '{{$request.body#/SECRET}}': {{MARK, post: {{{OK}}}}}
              {OK}
        """,
    "link in a text to an operation": f"""
        paths:
          /a: {{get: {{description: 'See [this](#tag/SECRET/operation/SECRET "Title").', {OK}}}}}
          /b: {{get: {{MARK, tags: [SECRET], operationId: SECRET, {OK}}}}}
        """,
    "link in a text by reference": f"""
        paths:
          /a: {{get: {{description: "See [this][x].\\n\\n[x]: #operation/SECRET", {OK}}}}}
          /b: {{get: {{MARK, operationId: SECRET, {OK}}}}}
        """,
    "link in a text as HTML": f"""
        paths:
          /a: {{get: {{description: 'See <a href="#operation/SECRET">this</a>.', {OK}}}}}
          /b: {{get: {{MARK, operationId: SECRET, {OK}}}}}
        """,
    "link in a text to a tag": f"""
        paths: {{/a: {{get: {{description: 'See [this](#tag/SECRET).', {OK}}}}}}}
        tags: [{{MARK, name: SECRET, description: x}}]
        """,
    "link in a text to a schema": f"""
        paths: {{/a: {{get: {{description: 'See [this](#/components/schemas/SECRET).', {OK}}}}}}}
        components: {{schemas: {{SECRET: {{MARK, type: object, properties: {{a: {{}}}}}}}}}}
        """,
    "link in a text to a schema by name": f"""
        paths: {{/a: {{get: {{description: 'See [this](#model/SECRET).', {OK}}}}}}}
        components: {{schemas: {{SECRET: {{MARK, type: object, properties: {{a: {{}}}}}}}}}}
        """,
    "link in a text by pointer": f"""
        paths:
          /a: {{get: {{description: 'See [this](#/paths/~1SECRET/get).', {OK}}}}}
          /SECRET: {{get: {{MARK, {OK}}}}}
        """,
    "link in the text of a property": f"""
        paths: {{/b: {{get: {{MARK, operationId: SECRET, {OK}}}}}}}
        components:
          schemas: {{A: {{properties: {{description: {{description: 'See [this](#operation/SECRET).'}}}}}}}}
        """,
    "link in the text of a value": f"""
        paths: {{/b: {{get: {{MARK, operationId: SECRET, {OK}}}}}}}
        components:
          schemas: {{A: {{enum: [a], x-enumDescriptions: {{a: '[This](#operation/SECRET).'}}}}}}
        """,
    "schema of an internal operation": f"""
        paths:
          /a: {{get: {{MARK, responses: {{'200': {{$ref: '#/components/responses/R'}}}}}}, put: {{{OK}}}}}
        components:
          responses:
            R: {{description: R, content: {{a/b: {{schema: {{$ref: '#/components/schemas/SECRET'}}}}}}}}
          schemas: {{SECRET: {{type: object, properties: {{a: {{}}}}}}}}
        """,
}


def read(kind: str, mark: str) -> Contract:
    """Return the contract with this part, marked in this way."""
    text = dedent(PARTS[kind]).replace("MARK", f"x-internal: {mark}").replace("SECRET", SECRET)
    return read_contract(parse_document(HEAD + text, name="api.yaml"))


def pages(contract: Contract) -> str:
    """Return all pages, with what search knows of them, as one text."""
    found = pages_of(contract.api).values()
    texts = [text for page in found for text in (page.uri, page.title, page.body, page.markdown)]
    return "\n".join([*texts, *(repr(page.search) for page in found)]).casefold()


@pytest.mark.parametrize("kind", PARTS)
def test_an_internal_part_reaches_no_output(kind: str) -> None:
    """Not the model, no page, no Markdown, no search entry, no download; unmarked, the same part does."""
    marked, unmarked = read(kind, "true"), read(kind, "false")

    assert SECRET not in repr(marked.api).casefold()
    assert SECRET not in pages(marked)
    assert SECRET not in json.dumps(bundle(marked)).casefold()
    assert SECRET not in json.dumps(postman_collection(marked.api)).casefold()
    assert SECRET in pages(unmarked)
