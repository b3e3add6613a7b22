"""Tests of a site whose pages are rendered by several processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from devportal.markup import Page, PageHead
from devportal.parallel import MIN_TASKS
from devportal.site.cache.last_build import ContractBuild
from devportal.site.cache.store import PageStore
from devportal.site.commands.build import build_contract
from tests.waiting import PATIENCE_S, wait_until

from .building import CONTRACT, contents, write_contract

OPERATIONS = 3 * MIN_TASKS


def contract_of(operations: int) -> dict[str, Any]:
    """Return a contract whose operations share a schema, with an event and problem types."""
    (parcel,) = CONTRACT["paths"].values()
    schema = {
        "type": "object",
        "properties": {"weight": {"type": "number"}, "next": {"$ref": "#/components/schemas/P"}},
    }
    created = {
        "description": "The parcel.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/P"}}},
    }
    paths = {
        f"/parcels{number}/{{id}}": {
            "get": {
                **parcel["get"],
                "operationId": f"getParcel{number}",
                "tags": [f"Area {number // 30}"],
                "responses": {"200": created},
            }
        }
        for number in range(operations)
    }
    return {**CONTRACT, "paths": paths, "components": {"schemas": {"P": schema}}}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems render in one process")
def test_site_is_the_same_with_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, in pages, search and files."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
    contract = write_contract(tmp_path / "openapi.yaml", contract_of(OPERATIONS))
    build_contract(ContractBuild(contract=contract, site_dir=tmp_path / "1"))

    build_contract(ContractBuild(contract=contract, site_dir=tmp_path / "2"), processes=2)
    build_contract(ContractBuild(contract=contract, site_dir=tmp_path / "3"), processes=3)

    alone = contents(tmp_path / "1")
    assert len(alone) > OPERATIONS
    assert alone == contents(tmp_path / "2") == contents(tmp_path / "3")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems write in one process")
@pytest.mark.parametrize("is_readable", [True, False])
def test_other_processes_write_pages_or_their_work_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_readable: bool
) -> None:
    """They read the cache on their own. If one cannot, the build goes on without it."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
    monkeypatch.setattr("devportal.site.output.writer.MIN_PAGES", 20)
    opened, here = PageStore.opened_again, os.getpid()
    reading = tmp_path / "reading"
    reading.mkdir()

    @contextmanager
    def open_again(store: PageStore) -> Iterator[Callable[[PageHead], Page]]:
        (reading / str(os.getpid())).touch()
        if not is_readable:
            raise OSError("there is no room for another file")
        with opened(store) as stored_page:
            yield stored_page

    monkeypatch.setattr(PageStore, "opened_again", open_again)
    contract = write_contract(tmp_path / "openapi.yaml", contract_of(MIN_TASKS))
    build_contract(ContractBuild(contract=contract, site_dir=tmp_path / "1"))

    asked = ContractBuild(contract=contract, site_dir=tmp_path / "2")
    build_contract(asked, cache=tmp_path / "cache", processes=2)

    readers = {int(file.name) for file in reading.iterdir()}
    assert len(readers) == 2
    assert here not in readers
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="other systems render in one process")
def test_interrupted_build_leaves_no_process(tmp_path: Path) -> None:
    """Ctrl-C reaches all processes of a terminal: the command ends in plain words, with all others."""
    contract = write_contract(tmp_path / "openapi.yaml", contract_of(20 * MIN_TASKS))
    program = [
        sys.executable,
        "-m",
        "devportal",
        "build",
        "--contract",
        str(contract),
        "--jobs",
        "2",
        "--no-cache",
    ]
    build = subprocess.Popen(program, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    children = Path(f"/proc/{build.pid}/task/{build.pid}/children")
    wait_until(lambda: len(children.read_text(encoding="ascii").split()) == 2)
    processes = children.read_text(encoding="ascii").split()

    os.killpg(build.pid, signal.SIGINT)

    _, errors = build.communicate(timeout=PATIENCE_S)
    assert build.returncode == 130
    assert "Traceback" not in errors
    assert not any(Path(f"/proc/{process}").exists() for process in processes)
