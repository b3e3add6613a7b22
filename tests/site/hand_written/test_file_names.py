"""Pages whose file names are not UTF-8."""

import os
from datetime import date
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import get_files

from devportal.project.inputs import Inputs
from devportal.site.hand_written.file_names import remove_unaddressable_pages


def test_pages_without_an_address_are_left_out_and_found(tmp_path: Path) -> None:
    """A build would end with an error of Python's; other files and names in UTF-8 stay."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in (b"index.md", "café.md".encode(), b"caf\xe9.md", b"caf\xe9.png"):
        (docs / os.fsdecode(name)).write_text("# A\n", encoding="utf-8")
    config = MkDocsConfig()
    config.load_dict({"docs_dir": str(docs), "site_name": "A", "site_dir": str(tmp_path / "site")})
    config.validate()
    files = get_files(config)

    findings = remove_unaddressable_pages(files, Inputs(root=tmp_path, docs=docs, today=date(2026, 12, 1)))

    assert [str(finding.place) for finding in findings] == ["docs/caf\\xe9.md"]
    assert sorted(file.src_uri for file in files.documentation_pages()) == ["café.md", "index.md"]
