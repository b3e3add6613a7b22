"""Pages whose file names are not UTF-8, as on disks that came from Windows: no address can have those names."""

from pathlib import Path

from mkdocs.structure.files import Files

from devportal.errors import Place
from devportal.findings import Finding, error_finding
from devportal.project.inputs import Inputs


def remove_unaddressable_pages(files: Files, inputs: Inputs) -> tuple[Finding, ...]:
    """Remove the pages whose names are not UTF-8, and return a problem for each."""
    findings = []
    for file in tuple(files.documentation_pages()):
        if _is_utf8(file.src_uri):
            continue
        files.remove(file)
        name = _with_escaped_bytes(inputs.name(Path(file.abs_src_path or file.src_uri)))
        findings.append(
            error_finding(
                "project-setting",
                Place(file=name),
                "the name of this page is not UTF-8, so it has no address",
                "rename the file: \\x and two digits stand for each byte that is not UTF-8",
            )
        )
    return tuple(findings)


def _is_utf8(name: str) -> bool:
    """Say whether a name that Python read from a folder is UTF-8: other bytes are halves of surrogate pairs there."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _with_escaped_bytes(name: str) -> str:
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")
