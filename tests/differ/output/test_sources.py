"""Where contracts come from."""

import io
import sys
from pathlib import Path

import pytest

from devportal.contract import Contract, Location
from devportal.differ.contract_sources import load_source
from devportal.errors import InvalidSettings, PortalError, UnreadableInput

from .repositories import repository, write
from .test_revisions import FILES, ROOT


def load_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> Contract:
    """Return the contract on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return load_source("-")


def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Is called so, and refers to files of the current folder."""
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    contract = load_stdin(monkeypatch, ROOT.encode())

    assert str(contract.place(Location("", ("info",)))) == "<stdin>:2:1"
    assert contract.findings == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "<stdin>: this file is empty"),
        (b"\xff", "<stdin>:1:1: this file is not UTF-8"),
        (b"a: [1\nb", "<stdin>:3:1: this is not YAML"),
    ],
)
def test_standard_input_that_is_no_contract(
    monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    """Is told as that of a file is."""
    with pytest.raises(PortalError) as caught:
        load_stdin(monkeypatch, content)

    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("address", ["https://example.com/api.yaml", "HTTP://example.com", "git+ssh://a/b"])
def test_address(address: str) -> None:
    """Nothing is asked for; what to do is told."""
    with pytest.raises(InvalidSettings) as caught:
        load_source(address)

    assert str(caught.value).startswith(
        f"{address}: nothing is read from the network\n  help: download it first"
    )


def test_file_wins_over_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its name looks like."""
    folder = repository(tmp_path / "api", FILES)
    monkeypatch.chdir(folder)
    assert load_source("main:openapi.yaml").api.version == "1.0.0"

    write(folder, {"main:openapi.yaml": ROOT.replace("1.0.0", "2.0.0")})
    assert load_source("main:openapi.yaml").api.version == "2.0.0"


@pytest.mark.parametrize("name", ["none.yaml", "n" * 300])
def test_file_that_is_not_there(name: str) -> None:
    """Is told as one."""
    with pytest.raises(UnreadableInput, match=f"{name}: this file cannot be read"):
        load_source(name)
