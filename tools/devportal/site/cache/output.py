"""What the last build left in the folder of a site: a build that follows it writes only what has changed.

That is done only where nothing but contract, records and entries may have changed since, nobody has touched the
folder, and no plug-in or hook that we do not know takes part: it may read anything, and change any file. In all other
cases the folder is emptied first, as MkDocs does.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import get_yaml_loader, yaml_load

from devportal.project.caches import toolkit_digest
from devportal.site.cache.file_sizes import Sizes, sizes_below
from devportal.site.cache.store import PageStore

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where a function that a configuration names lies in memory: in each run elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOutput:
    """The folder of a site after a build.

    `digests` has a digest of each generated page by its uri, `targets` the names of the files that MkDocs wrote.
    """

    basis: str
    files: Sizes = field(repr=False)
    digests: Mapping[str, str] = field(repr=False)
    targets: frozenset[str] = field(repr=False)


def build_digest(config: MkDocsConfig) -> str:
    """Return a digest of everything that a site is built from besides contract, records and entries."""
    digest = hashlib.sha256(settings_digest(config).encode())
    for folder in (config.docs_dir, config.theme.custom_dir):
        if folder:
            digest.update(json.dumps(sizes_below(Path(folder))).encode())
    return digest.hexdigest()


def settings_digest(config: MkDocsConfig) -> str:
    """Return a digest of the toolkit, the configuration and the environment that a site is built with."""
    digest = hashlib.sha256(toolkit_digest().encode())
    if config.config_file_path:
        digest.update(_configuration(Path(config.config_file_path), config).encode(errors="surrogatepass"))
    digest.update(repr([os.environ.get("SOURCE_DATE_EPOCH"), config.site_url, config.site_name]).encode())
    return digest.hexdigest()


def _configuration(file: Path, config: MkDocsConfig) -> str:
    """Return what a configuration says, with what it inherits or takes from the environment."""
    with file.open("rb") as source:
        settings = _ADDRESS.sub("", repr(yaml_load(source, get_yaml_loader(config=config))))
    return "\0".join((file.read_text(encoding="utf-8"), settings))


def last_output(store: PageStore, site: Path, basis: str) -> SiteOutput | None:
    """Return what the last build left in a folder, if a build can follow it."""
    noted = store.note(_note_name(site))
    if not noted or not site.is_dir():
        return None
    data = json.loads(noted)
    output = SiteOutput(
        basis=data["basis"], files=data["files"], digests=data["made"], targets=frozenset(data["targets"])
    )
    return output if output.basis == basis and output.files == sizes_below(site) else None


def record_output(store: PageStore, site: Path, output: SiteOutput) -> None:
    """Note what is in a folder now."""
    noted = {
        "basis": output.basis,
        "files": output.files,
        "made": output.digests,
        "targets": sorted(output.targets),
    }
    with store.writing():
        store.write_note(_note_name(site), json.dumps(noted))


def _note_name(site: Path) -> str:
    return f"output {site.resolve()}".encode("utf-8", "backslashreplace").decode()
