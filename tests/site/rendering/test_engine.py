"""What MkDocs knows of generated files."""

from pathlib import Path

from mkdocs.config import load_config
from mkdocs.structure.files import Files

from devportal.markup import Artefact
from devportal.site.cache.spooled_files import LARGE_BYTES, FileSpool
from devportal.site.cache.store import PageStore
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.portal import Portal
from devportal.site.rendering.engine import add_files
from tests.site.building import write_project

LARGE = bytes(range(256)) * (LARGE_BYTES // 256)
SMALL = b"small"


def files_of(folder: Path, contents: dict[str, bytes]) -> Files:
    """Return what MkDocs knows of generated files."""
    config = load_config(str(write_project(folder)), site_dir=str(folder / "site"))
    config.plugins._current_plugin = "devportal"  # as MkDocs does while it calls a plug-in
    spool = FileSpool()
    artefacts = tuple(spool.add(Artefact(uri=uri, content=content)) for uri, content in contents.items())
    portal = Portal(material=LoadedInputs(), store=PageStore(), pages=(), artefacts=artefacts, rendered=0)
    files = Files([])
    add_files(files, portal, config)
    return files


def test_large_file_is_written_as_a_small_one(folder: Path) -> None:
    """Whether a build starts anew or follows another, and into a folder that is not there yet."""
    files = files_of(folder, {"rates/large.csv": LARGE, "rates/small.csv": SMALL})

    for dirty in (False, True):
        for file in files:
            file.copy_file(dirty=dirty)

        assert (folder / "site/rates/large.csv").read_bytes() == LARGE
        assert (folder / "site/rates/small.csv").read_bytes() == SMALL
        (folder / "site/rates/large.csv").unlink()
        (folder / "site/rates/small.csv").unlink()


def test_plug_ins_can_read_and_change_a_large_file(folder: Path) -> None:
    """As any file that another plug-in made."""
    files = files_of(folder, {"large.js": b"a" * LARGE_BYTES})
    (file,) = files
    assert file.content_bytes == b"a" * LARGE_BYTES
    assert file.content_string == "a" * LARGE_BYTES
    assert file.is_modified()

    file.content_string = "changed"
    file.copy_file()

    assert file.content_bytes == b"changed"
    assert (folder / "site/large.js").read_text(encoding="utf-8") == "changed"
