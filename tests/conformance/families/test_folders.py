# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of a JSON:API with a trash: what descriptions forbid, clear and hide."""

import pytest

from devportal.conformance.families.creations import unique_values
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.lists import list_totals
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.folders import CONTRACT, Folders
from tests.conformance.families.servers.server import Refusal, Thing
from tests.conformance.running import subject_of

ADD_FILE = "POST /folders/{folderId}/files"
NOT_RAISED = "a creation does not raise 'totalBytes' by its 'bytes'"


class TakesAnyName(Folders):
    def check_new_name(self, attributes: Thing) -> None:
        pass


class ChangesTrash(Folders):
    def check_change(self, folder: Thing) -> None:
        pass

    def check_addition(self, folder: Thing) -> None:
        super().check_change(folder)


class AddsToTrash(Folders):
    def check_addition(self, folder: Thing) -> None:
        pass


class ListsTrash(Folders):
    def is_listed(self, folder: Thing) -> bool:
        return True


class KeepsTheTime(Folders):
    def restored_members(self) -> Thing:
        return {"state": "active"}


class RestoresNothing(Folders):
    def restored_members(self) -> Thing:
        return {}


class RestoresWhatIsActive(Folders):
    def move(self, folder: Thing, before: str, after: Thing) -> None:
        if folder["state"] != before and before == "active":
            raise Refusal(409)
        folder |= after


class KeepsFiles(Folders):
    def delete_file(self, key: str) -> None:
        pass


class AddsNothing(Folders):
    def total(self, folder: Thing) -> int:
        return 0


class AddsTheLastFile(Folders):
    def total(self, folder: Thing) -> int:
        files = self.files_in(folder)
        return int(files[-1]["bytes"]) if files else 0


class AddsAllFolders(Folders):
    def total(self, folder: Thing) -> int:
        return sum(int(file["bytes"]) for file in self.files.values())


class AddsDeletedFiles(Folders):
    def __init__(self) -> None:
        super().__init__()
        self.deleted: list[Thing] = []

    def delete_file(self, key: str) -> None:
        self.deleted.append(self.files.pop(key))

    def total(self, folder: Thing) -> int:
        return super().total(folder) + sum(
            int(file["bytes"]) for file in self.deleted if file["folder"] == folder["id"]
        )


@pytest.mark.parametrize(
    "family", [actions.FAMILY, list_totals.FAMILY, deleted_resources.FAMILY, unique_values.FAMILY]
)
def test_the_good_server_passes(family: Family) -> None:
    """A change may be rejected since its name is taken: it is tried with another one."""
    log = run_family(family, Folders(), subject_of(CONTRACT))

    assert [(failure.operation, failure.title) for failure in log.failures] == []
    assert log.tallies


@pytest.mark.parametrize(
    ("app", "family", "operation", "title"),
    [
        (TakesAnyName, unique_values.FAMILY, "POST /folders", "two resources have one 'name'"),
        (ChangesTrash, actions.FAMILY, "PATCH /folders/{folderId}", "accepted after 'trash'"),
        (
            AddsToTrash,
            actions.FAMILY,
            ADD_FILE,
            "an operation is accepted in another state",
        ),
        (ListsTrash, actions.FAMILY, "GET /folders", "a list shows resources after 'trash'"),
        (
            KeepsTheTime,
            actions.FAMILY,
            "POST /folders/{folderId}/restore",
            "an action leaves 'trashedAt' as it was",
        ),
        (
            RestoresNothing,
            actions.FAMILY,
            "POST /folders/{folderId}/restore",
            "an action leaves the state as it was",
        ),
        (
            RestoresWhatIsActive,
            actions.FAMILY,
            "POST /folders/{folderId}/restore",
            "an operation is accepted in another state",
        ),
        *(
            (app, list_totals.FAMILY, ADD_FILE, NOT_RAISED)
            for app in (AddsNothing, AddsTheLastFile, AddsAllFolders)
        ),
        (
            AddsDeletedFiles,
            list_totals.FAMILY,
            "DELETE /files/{fileId}",
            "a deletion does not lower 'totalBytes' by its 'bytes'",
        ),
        (
            KeepsFiles,
            deleted_resources.FAMILY,
            "DELETE /files/{fileId}",
            "what was deleted can still be read",
        ),
    ],
)
def test_each_fault_is_found(app: type[Folders], family: Family, operation: str, title: str) -> None:
    """Attributes are members, and the way back from a state is tried too."""
    log = run_family(family, app(), subject_of(CONTRACT))

    found = {(failure.operation, failure.title) for failure in log.failures if failure.fails}
    assert (operation, title) in found
