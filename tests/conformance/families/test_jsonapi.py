# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Resources of JSON:API, whose members are in their `attributes`."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import read_only_members
from devportal.conformance.families.filters import filters
from devportal.conformance.families.lists import sorting
from devportal.conformance.families.paging import pagination
from devportal.conformance.families.responses import links
from devportal.conformance.family import Family
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "jsonapi.yaml"
FAMILIES = (filters, links, pagination, read_only_members, sorting)


class Papers(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.papers: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        if request.headers.get("authorization", "") not in (f"Bearer {MAIN}", f"Bearer {OTHER}"):
            raise Refusal(401)
        document = self.call(request, json.loads(body) if body else None)
        return self.document(document, 201 if request.method == "POST" else 200)

    def refuse(self, status: int) -> Response:
        return self.document({"errors": [{"status": str(status)}]}, status)

    def document(self, document: Thing, status: int) -> Response:
        return Response(json.dumps(document), status, media_type="application/vnd.api+json")

    def call(self, request: Request, data: Any) -> Thing:
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "papers":
                return {"data": self.add(data["data"]["attributes"])}
            case "GET", "papers":
                return self.page(dict(request.query_params))
            case "GET", "papers", key if key in self.papers:
                return {"data": self.papers[key]}
        raise Refusal(404)

    def add(self, attributes: Thing) -> Thing:
        if any(paper["attributes"]["code"] == attributes["code"] for paper in self.papers.values()):
            raise Refusal(409)
        key = str(len(self.papers) + 1)
        self.papers[key] = {"type": "papers", "id": key, "attributes": self.client_members(attributes)}
        return self.papers[key]

    def client_members(self, attributes: Thing) -> Thing:
        return {**attributes, "is_read": False}

    def page(self, query: dict[str, str]) -> Thing:
        number, size = int(query.get("page[number]", "1")), int(query.get("page[size]", "20"))
        papers = self.sort(self.matching([*self.papers.values()], query), query.get("sort", ""))
        others = "".join(f"&{name}={value}" for name, value in query.items() if not name.startswith("page["))
        following = f"/papers?page[number]={number + 1}&page[size]={size}{self.keep_filters(others)}"
        following = following.replace("[", "%5B").replace("]", "%5D").replace(" ", "%20")
        has_next = number * size < len(papers)
        return {
            "data": papers[(number - 1) * size : number * size],
            "links": {"self": "/papers", "next": following if has_next else None},
        }

    def keep_filters(self, others: str) -> str:
        return others

    def matching(self, papers: list[Thing], query: dict[str, str]) -> list[Thing]:
        for name in ("kind", "title"):
            wanted = query.get(f"filter[{name}]")
            papers = [paper for paper in papers if wanted in (None, paper["attributes"].get(name))]
        return papers

    def sort(self, papers: list[Thing], order: str) -> list[Thing]:
        if not order:
            return papers
        return sorted(papers, key=self.rank, reverse=order.startswith("-"))

    def rank(self, paper: Thing) -> Any:
        return paper["attributes"].get("pages", 0)


class SortsAsTexts(Papers):
    def rank(self, paper: Thing) -> Any:
        return str(super().rank(paper))


class IgnoresKinds(Papers):
    def matching(self, papers: list[Thing], query: dict[str, str]) -> list[Thing]:
        query.pop("filter[kind]", None)
        return super().matching(papers, query)


class LosesFiltersInLinks(Papers):
    def keep_filters(self, others: str) -> str:
        return others.replace("filter[kind]", "kind")


class StoresAll(Papers):
    def client_members(self, attributes: Thing) -> Thing:
        return {"is_read": False, **attributes}


def titles(family: Family, app: Papers) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    log = run_family(family, app, replace(subject_of(CONTRACT), parties=EVERYONE))
    assert all(failure.fails for failure in log.failures), log.failures
    return {failure.title for failure in log.failures}


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (sorting, SortsAsTexts, "'sort' does not sort the list"),
        (filters, LosesFiltersInLinks, "the link to the next page drops the query"),
        (filters, IgnoresKinds, "the filter 'filter[kind]' lets other items through"),
        (read_only_members, StoresAll, "a client sets members that are read-only"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Papers], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in titles(family.FAMILY, app())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_right_server_is_not_accused(family: Any) -> None:
    """The right server keeps the promises of every family."""
    assert titles(family.FAMILY, Papers()) == set()
