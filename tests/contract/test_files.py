"""Which files a contract may be made of."""

from pathlib import Path

import pytest

from devportal.contract import Contract, load_contract
from tests.contract.inline import PATHS

HEAD = f"openapi: 3.1.0\ninfo: {{title: Test, version: '1'}}\n{PATHS}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a contract's folder and other files in it."""
    (tmp_path / "api" / "parts").mkdir(parents=True)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "a.yaml").write_text(
        "items: {$ref: 'b.yaml'}\nnot: {$ref: '../api/api.yaml#/x-a'}\n"
    )
    (tmp_path / "shared" / "b.yaml").write_text("type: string\n")
    (tmp_path / "api" / "link.yaml").symlink_to("../shared/b.yaml")
    (tmp_path / "api" / "circle.yaml").symlink_to("circle.yaml")
    return tmp_path


def read(folder: Path, reference: str, *, allowed: bool) -> Contract:
    """Return a contract whose one schema is a reference."""
    text = f"{HEAD}x-a: {{type: integer}}\ncomponents: {{schemas: {{A: {{$ref: '{reference}'}}}}}}\n"
    (folder / "api" / "api.yaml").write_text(text)
    return load_contract(folder / "api" / "api.yaml", name="api.yaml", allow_outside_references=allowed)


@pytest.mark.parametrize(
    "reference", ["../shared/a.yaml", "link.yaml", "parts/../../shared/b.yaml", "{root}/b.yaml"]
)
def test_files_outside_the_folder_are_read_only_if_that_is_allowed(folder: Path, reference: str) -> None:
    """By a path that leads out, a symbolic link, or an absolute path: refused with the way to allow it."""
    written = reference.format(root=folder / "shared")
    refused = read(folder, written, allowed=False)
    allowed = read(folder, written, allowed=True)

    assert [finding.rule for finding in refused.findings] == ["contract-ref-refused"]
    assert "--allow-outside-references" in refused.findings[0].help
    assert allowed.findings == ()
    assert len(allowed.source.documents()) > 1


def test_files_outside_refer_to_each_other_and_back(folder: Path) -> None:
    """The contract is one document, however its file is named."""
    found = read(folder, "../shared/a.yaml", allowed=True)

    assert sorted(found.source.documents()) == ["", "../shared/a.yaml", "../shared/b.yaml"]
    assert "#/x-a" in map(str, found.api.schemas)


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize(
    "reference", ["https://example.com/a.yaml", "//example.com/a.yaml", "http://localhost/a#/b"]
)
def test_nothing_is_read_from_the_network(folder: Path, reference: str, *, allowed: bool) -> None:
    """Whatever is allowed; the finding says how to do without."""
    (finding,) = read(folder, reference, allowed=allowed).findings

    assert finding.rule == "contract-ref-remote"
    assert "leads to the network" in finding.message
    assert "one file first" in finding.help


@pytest.mark.parametrize("reference", ["parts", "../shared", "/dev/zero", "no.yaml", "circle.yaml", "%00"])
def test_what_is_no_file_is_found(folder: Path, reference: str) -> None:
    """Folders, devices, missing files and links to themselves are findings, and never waited for."""
    assert [finding.level for finding in read(folder, reference, allowed=True).findings] == ["error"]


def test_a_broken_file_is_reported_once(folder: Path) -> None:
    """What is wrong is the file, not each reference to it."""
    (folder / "api" / "parts" / "broken.yaml").write_text("a: [\n")
    text = HEAD + "components: {schemas: {A: {$ref: parts/broken.yaml}, B: {$ref: 'parts/broken.yaml#/b'}}}\n"
    (folder / "api" / "api.yaml").write_text(text)

    assert len(load_contract(folder / "api" / "api.yaml").findings) == 1
