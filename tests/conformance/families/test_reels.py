# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults behind a file that an action needs first, of short identifiers, repeated deletions, and results of a batch."""

from typing import Any

import pytest

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.reels import CONTRACT, PLAYBACK, Reels
from tests.conformance.families.servers.server import Refusal, Thing


class CountsFromOne(Reels):
    def result(self, index: int, item: Thing) -> Thing:
        return super().result(index + 1, item)


class ForgetsWhatWasThere(Reels):
    def status_of_deleted(self) -> int:
        return 404


class DeletesOnce(Reels):
    def delete(self, key: str) -> None:
        if key in self.deleted:
            raise Refusal(404)
        super().delete(key)


class RenamesPublished(Reels):
    def publish(self, reel: Thing) -> Thing:
        super().publish(reel)
        reel["title"] = reel["title"][:40].upper()
        return reel


class CountsTwice(Reels):
    def publish(self, reel: Thing) -> Thing:
        super().publish(reel)
        reel["version"] += 1
        return reel


class DeletesPublished(Reels):
    def delete(self, key: str) -> None:
        if key in self.reels:
            self.reels[key]["state"] = "draft"
        super().delete(key)


class MergesSettings(Reels):
    def set_playback(self, reel: Thing, data: Thing) -> Thing:
        reel["playback"] |= data
        return reel


class StoresNoSettings(Reels):
    def set_playback(self, reel: Thing, data: Thing) -> Thing:
        return super().set_playback({**reel}, data)


class ShowsOldSettings(Reels):
    def set_playback(self, reel: Thing, data: Thing) -> Thing:
        return {**super().set_playback(reel, data), "playback": PLAYBACK}


class RenamesWithSettings(Reels):
    def set_playback(self, reel: Thing, data: Thing) -> Thing:
        reel["title"] = reel["title"][:3]
        return super().set_playback(reel, data)


class CountsOneByteMore(Reels):
    def store(self, reel: Thing, content: bytes) -> None:
        super().store(reel, content)
        reel["size_bytes"] += 1


class DigestsTheFirstHalf(Reels):
    def digest(self, content: bytes) -> str:
        return super().digest(content[: len(content) // 2])


class KeepsCaptions(Reels):
    def remove_caption(self, key: tuple[str, str]) -> None:
        return


class CreatesCaptionsWith200(Reels):
    def status_of_caption(self, *, is_new: bool) -> int:
        return 200


PUT = "PUT /reels/{reel_id}/playback"
OTHER_FILE = "a resource describes another file than was stored"
AGAIN = "deleting once more gets another status than described"


@pytest.mark.parametrize(
    ("family", "app", "failures"),
    [
        (
            stored_resources,
            CountsFromOne,
            {"POST /reels/batch: the results of a bulk request do not name its items"},
        ),
        (
            stored_resources,
            CreatesCaptionsWith200,
            {"PUT /reels/{reel_id}/captions/{language}: a PUT that creates does not get 201"},
        ),
        (
            deleted_resources,
            ForgetsWhatWasThere,
            {"GET /reels/{reel_id}: what was deleted gets another status than described"},
        ),
        (deleted_resources, DeletesOnce, {f"DELETE /reels/{{reel_id}}: {AGAIN}"}),
        (
            deleted_resources,
            KeepsCaptions,
            {"DELETE /reels/{reel_id}/captions/{language}: what was deleted can still be read"},
        ),
        (
            actions,
            CountsTwice,
            {"POST /reels/{reel_id}/publish: an action does not raise 'version' by one"},
        ),
        (
            actions,
            DeletesPublished,
            {"DELETE /reels/{reel_id}: an operation is accepted in another state"},
        ),
        (updated_resources, MergesSettings, {f"{PUT}: a replacement of 'playback' keeps what it leaves out"}),
        (updated_resources, StoresNoSettings, {f"{PUT}: a change of 'playback' is not read back"}),
        (
            updated_resources,
            ShowsOldSettings,
            {f"{PUT}: the response to a change of 'playback' shows another value"},
        ),
        (updated_resources, RenamesWithSettings, {f"{PUT}: a change of 'playback' changes other members"}),
        (stored_resources, CountsOneByteMore, {f"PUT /reels/{{reel_id}}/file: {OTHER_FILE}"}),
        (stored_resources, DigestsTheFirstHalf, {f"PUT /reels/{{reel_id}}/file: {OTHER_FILE}"}),
        (
            actions,
            RenamesPublished,
            {"POST /reels/{reel_id}/publish: an action changes 'title', which it keeps"},
        ),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Reels], failures: set[str]) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert titles_for_contract(family.FAMILY, app(), CONTRACT) == failures


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_the_right_server_is_not_accused(family: Family) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family, Reels(), CONTRACT) == set()
