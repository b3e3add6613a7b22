"""Requests of a console that no sample has: files that somebody chose, and values that were typed."""

from pathlib import Path

import pytest

from devportal.reference.samples import LANGUAGES, Language
from devportal.reference.samples.request import MultipartBody, Part, SampleRequest

from .node import ask, modules


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return modules(tmp_path_factory.mktemp("console") / "modules")


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.name)
def test_code_for_chosen_files_is_that_of_a_sample(language: Language, folder: Path) -> None:
    """Whatever their names are."""
    names = ("photo 1.jpg", "report, final.txt", "a;b", 'c"d', " e", "f ", "g\\h", "it's", "--i", "é")
    parts = [{"name": "f", "value": one, "isFile": True, "type": ""} for one in names]
    content = {"kind": "multipart", "type": "multipart/form-data", "parts": parts}
    request = {"method": "POST", "url": "/a", "query": [], "headers": [], "body": content}

    given = {"module": f"languages/{language.name}", "asked": [["write", request]]}
    (answer,) = ask(folder, "calls", given)

    body = MultipartBody(parts=tuple(Part(name="f", value=one, is_file=True) for one in names))
    assert answer["value"] == language.write(SampleRequest(method="POST", url="/a", body=body))


FILE_TYPES: dict[str, tuple[dict[str, str], str]] = {
    "a further one": ({"listed": "image/png, image/jpeg", "own": "image/jpeg"}, "image/jpeg"),
    "one of a range": ({"listed": "text/csv, image/*", "own": "image/jpeg"}, "image/jpeg"),
    "any": ({"listed": "*/*", "own": "image/jpeg"}, "image/jpeg"),
    "nothing listed": ({"own": "image/jpeg"}, "image/jpeg"),
    "not allowed": ({"listed": "image/*, application/pdf", "own": "text/csv"}, "application/pdf"),
    "the beginning of another": ({"listed": "image/svg", "own": "image/svg+xml"}, "image/svg"),
    "unknown": ({"listed": "*/*, image/png", "own": ""}, "image/png"),
    "unknown, nothing listed": ({"own": ""}, ""),
}


def test_chosen_file_has_its_own_type_where_that_is_allowed(folder: Path) -> None:
    """Or else the first that is listed and no range."""
    sent = ask(folder, "fileTypes", [given for given, _ in FILE_TYPES.values()])

    assert dict(zip(FILE_TYPES, sent, strict=True)) == {
        name: meant for name, (_, meant) in FILE_TYPES.items()
    }
