# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""The right server of `samples.yaml`, with seams at which tests break its promises."""

import copy
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = Path(__file__).parent / "samples.yaml"
OPTIONAL: Thing = {
    "priority": 3,
    "volumeMl": None,
    "note": None,
    "store": None,
    "tags": [],
    "tests": [],
    "discountCents": 0,
}


class Samples(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.samples: dict[str, Thing] = {}
        self.readings: dict[str, Thing] = {}
        self.jobs: dict[str, Thing] = {}
        self.moment = datetime(2026, 11, 27, 12, tzinfo=UTC)

    def now(self) -> str:
        self.moment += timedelta(milliseconds=5)
        return self.moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def json(
        self, body: Any, status: int = 200, *, kind: str = "application/json", **headers: str
    ) -> Response:
        return Response(json.dumps(body), status_code=status, media_type=kind, headers=headers)

    def respond(self, request: Request, body: bytes) -> Response:
        data: Any = json.loads(body) if body else {}
        head, *rest = request.url.path.strip("/").split("/")
        match head:
            case "samples":
                return self.sample(request, data, *rest)
            case "samples:batch":
                return self.json({"items": self.batch(data["items"])}, 201)
            case "exports":
                job: Thing = {
                    "id": f"j{len(self.jobs) + 1}",
                    "reads": 0,
                    "ended": self.now(),
                    "kind": data["kind"],
                }
                self.jobs[str(job["id"])] = job
                return self.json(self.job(job), 202, Location=f"/jobs/{job['id']}")
            case "jobs" if rest and rest[0] in self.jobs and rest[1:] in ([], ["result"]):
                found = self.jobs[rest[0]]
                return self.result(found) if rest[1:] else self.read_job(found)
        raise Refusal(404)

    def sample(self, request: Request, data: Any, *rest: str) -> Response:
        match (request.method, *rest):
            case ("POST",):
                return self.create_sample(data)
            case ("GET",):
                return self.json(self.page(dict(request.query_params)))
            case "GET", key:
                return self.sample_response(self.find(key))
            case ("PUT" | "PATCH") as method, key:
                return self.change_sample(method, self.find(key), data, request.headers.get("if-match"))
            case "DELETE", key:
                self.delete(self.find(key))
                return Response(status_code=204)
            case "POST", key, "readings":
                return self.read(self.find(key), data)
            case "GET", key, "readings", reading_id:
                return self.json(self.reading(key, reading_id))
            case "POST", key, action:
                return self.run_action(action, self.find(key))
        raise Refusal(404)

    def read(self, sample: Thing, data: Thing) -> Response:
        key = f"r{len(self.readings) + 1}"
        self.readings[key] = {"id": key, "value": data["value"], "owner": sample["id"]}
        return self.json({"id": key, "value": data["value"]}, 201)

    def find(self, key: str) -> Thing:
        if key not in self.samples:
            raise Refusal(404)
        return self.samples[key]

    def sample_response(self, sample: Thing, status: int = 200, **headers: str) -> Response:
        return self.json(sample, status, ETag=f'"{sample["version"]}"', **headers)

    def create_sample(self, data: Thing) -> Response:
        sample = self.add(data)
        return self.sample_response(sample, 201, Location=f"/samples/{sample['id']}")

    def add(self, data: Thing) -> Thing:
        sample: Thing = {"id": f"s{len(self.samples) + 1}", "status": "registered", "version": 1}
        sample["number"] = len(self.samples) + 1
        sample |= {"receivedAt": None, "finishedAt": None, "archivedAt": None}
        self.fill(sample, data)
        self.samples[sample["id"]] = sample
        return sample

    def defaults(self) -> Thing:
        return copy.deepcopy(OPTIONAL)

    def fill(self, sample: Thing, data: Thing) -> None:
        sample |= {**self.defaults(), **data}
        if sample["store"] is not None:
            sample["store"] = {"shelf": 1, **sample["store"]}
        sample["totalCents"] = self.total(sample)

    def total(self, sample: Thing) -> int:
        return sum(int(test["priceCents"] * test["count"]) for test in sample["tests"]) - int(
            sample["discountCents"]
        )

    def batch(self, items: Sequence[Thing]) -> list[Thing]:
        return [self.add(item) for item in items]

    def page(self, query: dict[str, str]) -> Thing:
        after = query.pop("after", "0")
        if not (after.isascii() and after.isdigit()):
            raise Refusal(400)
        start, limit = int(after), int(query.get("limit", "20"))
        items = self.filter_samples(query, start)
        more = f"?{self.next_query(query)}after={start + limit}" if start + limit < len(items) else None
        return {"items": items[start : start + limit], "nextPage": more}

    def filter_samples(self, query: dict[str, str], start: int) -> list[Thing]:  # noqa: ARG002 - for those who break it
        items = [
            sample for sample in self.samples.values() if query.get("kind", sample["kind"]) == sample["kind"]
        ]
        if query.get("includeArchived") != "true":
            items = [item for item in items if not item["archivedAt"]]
        if "sort" in query:
            items.sort(key=lambda item: int(item["priority"]), reverse=query["sort"].startswith("-"))
        return items

    def next_query(self, query: dict[str, str]) -> str:
        return "".join(f"{name}={value}&" for name, value in query.items())

    def change_sample(self, method: str, sample: Thing, data: Thing, tag: str | None) -> Response:
        if tag is not None and tag != f'"{sample["version"]}"':
            raise Refusal(412)
        if sample["archivedAt"]:
            raise Refusal(409)
        if method == "PUT":
            self.replace(sample, data)
        else:
            self.patch(sample, data)
        self.touch(sample)
        return self.sample_response(sample)

    def replace(self, sample: Thing, data: Thing) -> None:
        self.fill(sample, data)

    def patch(self, sample: Thing, data: Thing) -> None:
        for name, value in data.items():
            is_nested = isinstance(value, dict) and isinstance(sample[name], dict)
            sample[name] = {**sample[name], **value} if is_nested else value
        sample["totalCents"] = self.total(sample)

    def touch(self, sample: Thing) -> None:
        sample["version"] += 1

    def delete(self, sample: Thing) -> None:
        del self.samples[sample["id"]]

    def reading(self, key: str, reading_id: str) -> Thing:
        found = self.readings.get(reading_id)
        if key not in self.samples or found is None or found["owner"] != key:
            raise Refusal(404)
        return {"id": found["id"], "value": found["value"]}

    def run_action(self, action: str, sample: Thing) -> Response:
        if not self.allows(action, sample):
            raise Refusal(409)
        self.act(action, sample)
        self.touch(sample)
        return self.sample_response(sample)

    def allows(self, action: str, sample: Thing) -> bool:
        wanted = {"receive": "registered", "finish": "received"}.get(action)
        is_archived = sample["archivedAt"] is not None
        return is_archived is (action == "restore") and wanted in (None, sample["status"])

    def act(self, action: str, sample: Thing) -> None:
        match action:
            case "receive" | "finish":
                sample["status"] = {"receive": "received", "finish": "finished"}[action]
                sample[f"{sample['status']}At"] = self.now()
            case "archive":
                sample["archivedAt"] = self.now()
            case "restore":
                sample["archivedAt"] = None

    def read_job(self, job: Thing) -> Response:
        job["reads"] += 1
        return self.json(self.job(job))

    def job(self, job: Thing) -> Thing:
        state = ("queued", "running", "running", "done")[min(job["reads"], 3)]
        is_done = state == "done"
        return {
            "id": job["id"],
            "state": state,
            "progress": min(job["reads"], 2) * 50 if not is_done else 100,
            "resultUrl": f"/jobs/{job['id']}/result" if is_done else None,
            "endedAt": job["ended"] if is_done else None,
        }

    def result(self, job: Thing) -> Response:
        if job["reads"] < 3:
            raise Refusal(409)
        return self.json({"rows": 1, "kind": job["kind"]})
