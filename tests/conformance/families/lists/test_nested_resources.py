# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Tasks that belong to one list."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.lists.nested_resources import FAMILY
from devportal.conformance.knowledge.subject import Subject
from tests.conformance.families.asking import boxes, run_family
from tests.conformance.families.servers.boxes import Boxes
from tests.conformance.running import subject_of

THING = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}


def with_json(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a body."""
    return {"description": "It is so.", "content": {"application/json": {"schema": schema}}}


def path_parameter(name: str) -> dict[str, Any]:
    """Return the parameter of an identifier."""
    return {"name": name, "in": "path", "required": True, "schema": {"type": "integer"}}


def operations(*names: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the operations of a collection and of one resource in it; `names` are the path parameters."""
    parameters = [path_parameter(name) for name in names]
    body = {"content": {"application/json": {"schema": THING, "example": {"name": "Ada"}}}}
    collection = {
        "parameters": parameters[:-1],
        "post": {"requestBody": body, "responses": {"201": with_json(THING)}},
        "get": {"responses": {"200": with_json({"type": "array", "items": THING})}},
    }
    reading = {"responses": {"200": with_json(THING), "404": with_json({"type": "object"})}}
    return collection, {"parameters": parameters, "get": reading}


class Lists:
    """The good server. Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.tasks: dict[int, dict[int, dict[str, Any]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        status, body = self.answer(request.method, request.url.path.strip("/").split("/"))
        await Response(json.dumps(body), status, media_type="application/json")(scope, receive, send)

    def answer(self, method: str, path: list[str]) -> tuple[int, Any]:
        numbers = [int(text) for text in path if text.isdigit()]
        known = [number for number in numbers[:1] if number in self.tasks]
        if numbers and not known:
            return 404, {}
        if method == "POST":
            number = sum(map(len, self.tasks.values())) + len(self.tasks) + 1
            if known:
                self.tasks[known[0]][number] = {"id": number, "name": "Ada"}
            else:
                self.tasks[number] = {}
            return 201, {"id": number, "name": "Ada"}
        match len(path), numbers:
            case 1, []:
                return 200, [{"id": task} for task in self.tasks]
            case 2, [number]:
                return 200, {"id": number, "name": "Ada"}
            case 3, [number]:
                return 200, list(self.tasks_below(number).values())
            case _, [number, key] if key in self.find_tasks(number):
                return 200, self.find_tasks(number)[key]
        return 404, {}

    def tasks_below(self, number: int) -> dict[int, dict[str, Any]]:
        return self.tasks[number]

    def find_tasks(self, number: int) -> dict[int, dict[str, Any]]:
        return self.tasks[number]

    def all_tasks(self) -> dict[int, dict[str, Any]]:
        return {key: task for tasks in self.tasks.values() for key, task in tasks.items()}


class ListsAll(Lists):
    def tasks_below(self, number: int) -> dict[int, dict[str, Any]]:
        return self.all_tasks()


class FindsAll(Lists):
    def find_tasks(self, number: int) -> dict[int, dict[str, Any]]:
        return self.all_tasks()


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    """Return the contract of lists with tasks."""
    lists, one_list = operations("list_id")
    tasks, one_task = operations("list_id", "task_id")
    paths = {
        "/lists": lists,
        "/lists/{list_id}": one_list,
        "/lists/{list_id}/tasks": tasks,
        "/lists/{list_id}/tasks/{task_id}": one_task,
    }
    file = tmp_path / "lists.yaml"
    file.write_text(
        json.dumps({"openapi": "3.0.3", "info": {"title": "Lists", "version": "1"}, "paths": paths})
    )
    return subject_of(file)


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (Lists, None),
        (ListsAll, "a list shows resources of another parent"),
        (FindsAll, "a nested resource is read below another parent"),
    ],
)
def test_each_server(app: type[Lists], title: str | None, subject: Subject) -> None:
    """Both ways to mix up parents are found, and the right server is left alone."""
    log = run_family(FAMILY, app(), subject)

    assert {failure.title for failure in log.failures if failure.fails} == ({title} if title else set())
    assert log.tallies


def test_a_contract_without_nesting_is_not_tested() -> None:
    """Resources of one level have no parent."""
    log = run_family(FAMILY, Boxes(), boxes())

    assert not log.tallies
