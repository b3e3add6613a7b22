# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of whole resources: bulk creations, defaults, computed values, replacements, actions, pages and jobs."""

import copy
from typing import Any

import pytest
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import preconditions
from devportal.conformance.families.lists import sorting
from devportal.conformance.families.paging import pagination
from devportal.conformance.families.states import actions, jobs
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.samples import CONTRACT, OPTIONAL, Samples
from tests.conformance.families.servers.server import Refusal, Thing
from tests.conformance.running import subject_of

FAMILIES = (
    actions,
    deleted_resources,
    filters,
    jobs,
    pagination,
    preconditions,
    sorting,
    stored_resources,
    updated_resources,
)


def titles(family: Family, app: Samples) -> set[str]:
    """Return the titles of what a family finds wrong, all of it confirmed."""
    failures = [
        failure
        for failure in run_family(family, app, subject_of(CONTRACT)).failures
        if failure.check == family.name
    ]
    assert all(failure.fails for failure in failures), failures
    return {failure.title for failure in failures}


class LosesLastItem(Samples):
    def batch(self, items: Any) -> list[Thing]:
        return super().batch(items[:-1])


class AnswersBackwards(Samples):
    def batch(self, items: Any) -> list[Thing]:
        return super().batch(items)[::-1]


class StoresAllButOne(Samples):
    def batch(self, items: Any) -> list[Thing]:
        stored = super().batch(items)
        del self.samples[stored[-1]["id"]]
        return stored


class StoresOneKind(Samples):
    def batch(self, items: Any) -> list[Thing]:
        return super().batch([{**item, "kind": items[0]["kind"]} for item in items])


class HasAnotherDefault(Samples):
    def defaults(self) -> Thing:
        return {**OPTIONAL, "priority": 1}


class ForgetsQuantities(Samples):
    def total(self, sample: Thing) -> int:
        return sum(int(test["priceCents"]) for test in sample["tests"]) - int(sample["discountCents"])


class AnswersOtherTexts(Samples):
    def create_sample(self, data: Thing) -> Response:
        sample = self.add(data)
        return self.sample_response(
            {**sample, "code": f"new {sample['code'][::-1]}"}, 201, Location=f"/samples/{sample['id']}"
        )


class MergesReplacements(Samples):
    def replace(self, sample: Thing, data: Thing) -> None:
        self.patch(sample, data)


class IgnoresNull(Samples):
    def patch(self, sample: Thing, data: Thing) -> None:
        super().patch(sample, {name: value for name, value in data.items() if value is not None})


class ReplacesObjects(Samples):
    def patch(self, sample: Thing, data: Thing) -> None:
        super().patch(sample, data)
        if isinstance(data.get("store"), dict):
            sample["store"] = {"shelf": 1, **data["store"]}


class AddsToLists(Samples):
    def patch(self, sample: Thing, data: Thing) -> None:
        super().patch(sample, {**data, "tags": [*sample["tags"], *data["tags"]]} if "tags" in data else data)


class KeepsTheTotal(Samples):
    def patch(self, sample: Thing, data: Thing) -> None:
        total = sample["totalCents"]
        super().patch(sample, data)
        sample["totalCents"] = total


class KeepsTheVersion(Samples):
    def touch(self, sample: Thing) -> None:
        """Leave the version as it is."""


class SkipsVersions(Samples):
    def touch(self, sample: Thing) -> None:
        sample["version"] += 2


class AnswersTheOldTag(Samples):
    def change_sample(self, method: str, sample: Thing, data: Thing, tag: str | None) -> Response:
        before = f'"{sample["version"]}"'
        response = super().change_sample(method, sample, data, tag)
        response.headers["etag"] = before
        return response


class MovesOnChange(Samples):
    def replace(self, sample: Thing, data: Thing) -> None:
        super().replace(sample, data)
        self.samples[f"{sample['id']}b"] = self.samples.pop(sample["id"])


class ChangesBeforeItChecks(Samples):
    def change_sample(self, method: str, sample: Thing, data: Thing, tag: str | None) -> Response:
        if method == "PATCH":
            self.patch(sample, {**data, "priority": sample["priority"] + 1})
        return super().change_sample(method, sample, data, tag)


class FinishesAnything(Samples):
    def allows(self, action: str, sample: Thing) -> bool:
        return action == "finish" or super().allows(action, sample)


class RefusesAndFinishes(Samples):
    def allows(self, action: str, sample: Thing) -> bool:
        is_allowed = super().allows(action, sample)
        if action == "finish" and not is_allowed:
            self.act(action, sample)
        return is_allowed


class FinishesBackwards(Samples):
    def act(self, action: str, sample: Thing) -> None:
        super().act(action, sample)
        if action == "finish":
            sample["status"] = "registered"


class ForgetsTheTime(Samples):
    def act(self, action: str, sample: Thing) -> None:
        super().act(action, sample)
        sample["receivedAt"] = None


class RestoresNothing(Samples):
    def act(self, action: str, sample: Thing) -> None:
        if action != "restore":
            super().act(action, sample)


class ArchivesTwice(Samples):
    def allows(self, action: str, sample: Thing) -> bool:
        return action == "archive" or super().allows(action, sample)


class ChangesArchived(Samples):
    def change_sample(self, method: str, sample: Thing, data: Thing, tag: str | None) -> Response:
        archived_at, sample["archivedAt"] = sample["archivedAt"], None
        response = super().change_sample(method, sample, data, tag)
        sample["archivedAt"] = archived_at
        return response


class ListsArchived(Samples):
    def filter_samples(self, query: dict[str, str], start: int) -> list[Thing]:
        return super().filter_samples({**query, "includeArchived": "true"}, start)


class NeverListsArchived(Samples):
    def filter_samples(self, query: dict[str, str], start: int) -> list[Thing]:
        return super().filter_samples({**query, "includeArchived": "false"}, start)


class EmptiesOnReceipt(Samples):
    def act(self, action: str, sample: Thing) -> None:
        super().act(action, sample)
        if action == "receive":
            sample["tests"] = []


class DeletesOnArchive(Samples):
    def run_action(self, action: str, sample: Thing) -> Response:
        response = super().run_action(action, sample)
        if action == "archive":
            self.delete(sample)
        return response


class KeepsReadings(Samples):
    def reading(self, key: str, reading_id: str) -> Thing:
        found = self.readings.get(reading_id)
        if found is None or found["owner"] != key:
            raise Refusal(404)
        return {"id": found["id"], "value": found["value"]}


class LosesTheFilter(Samples):
    def next_query(self, query: dict[str, str]) -> str:
        return super().next_query({name: value for name, value in query.items() if name != "kind"})


class LosesTheOrder(Samples):
    def filter_samples(self, query: dict[str, str], start: int) -> list[Thing]:
        kept = {name: value for name, value in query.items() if name != "sort" or not start}
        return super().filter_samples(kept, start)


class LeadsToNothing(Samples):
    def page(self, query: dict[str, str]) -> Thing:
        start, limit = int(query.get("after", "0")), int(query.get("limit", "20"))
        page = super().page(query)
        if page["items"] and page["nextPage"] is None:
            page["nextPage"] = f"?{self.next_query(query)}after={start + limit}"
        return page


class ReturnsToTheQueue(Samples):
    def job(self, job: Thing) -> Thing:
        return {**super().job(job), **({"state": "queued"} if job["reads"] == 2 else {})}


class LeavesTheEnd(Samples):
    def job(self, job: Thing) -> Thing:
        return {**super().job(job), **({"state": "running"} if job["reads"] == 5 else {})}


class LosesProgress(Samples):
    def job(self, job: Thing) -> Thing:
        return {**super().job(job), **({"progress": 10} if job["reads"] == 2 else {})}


class EndsHalfWay(Samples):
    def job(self, job: Thing) -> Thing:
        return {**super().job(job), "progress": min(job["reads"], 1) * 50}


class ForgetsJobs(Samples):
    def read_job(self, job: Thing) -> Response:
        if job["reads"] > 1:
            raise Refusal(404)
        return super().read_job(job)


class HasNoResult(Samples):
    def job(self, job: Thing) -> Thing:
        return {**super().job(job), "resultUrl": None}


class LeadsToNoResult(Samples):
    def result(self, job: Thing) -> Response:
        raise Refusal(404)


class ShowsAnotherResult(Samples):
    def result(self, job: Thing) -> Response:
        return super().result({**job, "kind": "soil"})


class ShowsEarlyResults(Samples):
    def result(self, job: Thing) -> Response:
        return super().result({**job, "reads": 3})


class EndsAgainAndAgain(Samples):
    def job(self, job: Thing) -> Thing:
        shown = super().job(job)
        return {**shown, "endedAt": self.now() if shown["endedAt"] else None}


@pytest.mark.parametrize(
    ("family", "app", "title"),
    [
        (stored_resources, LosesLastItem, "a bulk creation answers with another number of items"),
        (stored_resources, AnswersBackwards, "a bulk creation answers in another order"),
        (stored_resources, StoresAllButOne, "an item of a bulk creation cannot be read"),
        (stored_resources, StoresOneKind, "an item of a bulk creation has other values"),
        (stored_resources, HasAnotherDefault, "a default of the contract is not applied"),
        (stored_resources, ForgetsQuantities, "'totalCents' does not depend on 'count'"),
        (stored_resources, AnswersOtherTexts, "what is read differs from what was created"),
        (updated_resources, MergesReplacements, "a replacement keeps what it leaves out"),
        (updated_resources, IgnoresNull, "null in a patch does not take the value away"),
        (updated_resources, ReplacesObjects, "a patch of an object changes its other members"),
        (updated_resources, AddsToLists, "a patch does not replace a list"),
        (updated_resources, KeepsTheTotal, "a change does not update a computed value"),
        (updated_resources, KeepsTheVersion, "a change does not raise 'version'"),
        (updated_resources, SkipsVersions, "one change raises 'version' by more than one"),
        (updated_resources, AnswersTheOldTag, "a change answers with another ETag than that of its result"),
        (updated_resources, MovesOnChange, "a change makes a resource unreadable"),
        (preconditions, ChangesBeforeItChecks, "a rejected change is made all the same"),
        (actions, FinishesAnything, "an operation is accepted in another state"),
        (actions, RefusesAndFinishes, "a rejected request changes a resource"),
        (actions, FinishesBackwards, "an action leads back to an earlier state"),
        (actions, ForgetsTheTime, "an action leaves 'receivedAt' as it was"),
        (actions, RestoresNothing, "an action leaves 'archivedAt' as it was"),
        (actions, ArchivesTwice, "an action is accepted twice"),
        (actions, ChangesArchived, "accepted after 'archive'"),
        (actions, ListsArchived, "a list shows resources after 'archive'"),
        (actions, NeverListsArchived, "'includeArchived' does not list what it includes"),
        (actions, EmptiesOnReceipt, "an action takes members away"),
        (actions, DeletesOnArchive, "an action removes the resource"),
        (deleted_resources, KeepsReadings, "a nested resource is read after its parent was deleted"),
        (filters, LosesTheFilter, "the link to the next page drops the query"),
        (sorting, LosesTheOrder, "'sort' is lost on later pages"),
        (pagination, LeadsToNothing, "the last page leads to another one"),
        (jobs, ReturnsToTheQueue, "a job goes back"),
        (jobs, LeavesTheEnd, "a job goes back"),
        (jobs, LosesProgress, "the progress of a job goes back"),
        (jobs, EndsHalfWay, "an ended job is not at its whole progress"),
        (jobs, ForgetsJobs, "a job is gone while it is followed"),
        (jobs, HasNoResult, "an ended job has no 'resultUrl'"),
        (jobs, LeadsToNoResult, "the result of a job cannot be read"),
        (jobs, ShowsAnotherResult, "the result of a job is that of another request"),
        (jobs, ShowsEarlyResults, "the result of a job is there before its end"),
        (jobs, EndsAgainAndAgain, "'endedAt' of an ended job moves"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Samples], title: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert title in titles(family.FAMILY, app())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_right_server_is_not_accused(family: Any) -> None:
    """The right server keeps the promises of every family."""
    assert titles(family.FAMILY, Samples()) == set()


class HasItsOwnDefaults(Samples):
    """Gives members that are left out the values of the first sample that had all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.usual: Thing = {}

    def defaults(self) -> Thing:
        return {**super().defaults(), **copy.deepcopy(self.usual)}

    def fill(self, sample: Thing, data: Thing) -> None:
        if not self.usual and {"volumeMl", "note"} <= data.keys():
            self.usual = {name: data[name] for name in ("volumeMl", "note")}
        super().fill(sample, data)


def test_a_default_of_the_deployment_is_no_value_that_was_kept() -> None:
    """A contract need not tell it: a resource that is created without the member has it as well."""
    assert "a replacement keeps what it leaves out" not in titles(
        updated_resources.FAMILY, HasItsOwnDefaults()
    )
