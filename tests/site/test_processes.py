"""Tests of a site whose pages are rendered by several processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devportal.parallel import MIN_TASKS
from devportal.site.cache.last_build import ContractBuild
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
