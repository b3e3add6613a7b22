"""Where contracts come from: a file, standard input, or a revision of git. Never from the network."""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from devportal.contract import Contract, load_contract, read_contract
from devportal.diffing.revisions import in_revision, load_revision
from devportal.documents import read_document
from devportal.errors import InvalidSettings

STDIN = "-"
_STDIN_NAME = "<stdin>"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def load_source(written: str, *, allow_outside_references: bool = False) -> Contract:
    """Read a contract from where an argument says. Raises PortalError.

    A file is a file whatever its name looks like.
    """
    path = Path(written)
    if written == STDIN:
        return _standard_input(allow_outside_references=allow_outside_references)
    if _exists(path):
        return load_contract(path, allow_outside_references=allow_outside_references)
    if _ADDRESS.match(written):
        raise InvalidSettings(
            f"{written}: nothing is read from the network",
            help="download it first, and give the path of the file, or - for standard input",
        )
    asked = in_revision(written)
    if asked is not None:
        return load_revision(asked, allow_outside_references=allow_outside_references)
    return load_contract(path)


def _standard_input(*, allow_outside_references: bool) -> Contract:
    """Read standard input as if it were a file of the current folder."""
    with TemporaryDirectory(prefix="devportal-diff-") as folder:
        file = Path(folder) / "contract"
        file.write_bytes(sys.stdin.buffer.read())
        document = read_document(file, name=_STDIN_NAME)
    return read_contract(document, folder=Path.cwd(), allow_outside_references=allow_outside_references)


def _exists(path: Path) -> bool:
    """Say whether there is something; too long a name, which the system does not look for, is nothing."""
    try:
        return path.exists()
    except OSError:
        return False
