"""The page on new portals does what it says: its commands are run in a fresh folder, one after the other."""

import os
import re
import subprocess
import sys
from pathlib import Path

from devportal.documents import to_yaml
from tests.scaffold.desk import contract

from .repository import ROOT

PAGE = (ROOT / "docs" / "toolkit" / "new-portal.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"(<!-- not run: [^>]+ -->\n\n)?^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = 5
"""How many blocks may be left out: those that need the network, end never, or have nothing to do."""


def test_its_commands_make_a_portal(tmp_path: Path) -> None:
    """From a contract to a site without a finding."""
    blocks = _BLOCK.findall(PAGE)
    script = "\n".join(commands for skipped, commands in blocks if not skipped)
    (tmp_path / "openapi.yaml").write_text(to_yaml(contract()), encoding="utf-8")

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "No problems found." in done.stderr
    assert (tmp_path / "parcels/site/guides/first-request/index.html").is_file()
    assert sum(bool(skipped) for skipped, _ in blocks) <= NOT_RUN < len(blocks)


def test_it_names_every_file_that_is_made(tmp_path: Path) -> None:
    """The table of the page, and what `init` prints."""
    (tmp_path / "openapi.yaml").write_text(to_yaml(contract()), encoding="utf-8")
    program = [
        sys.executable,
        "-m",
        "devportal",
        "init",
        "parcels",
        "--contract",
        "openapi.yaml",
        "--with-rates",
    ]
    made = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split()
    table = PAGE.partition("| file |")[2].partition("\n\n")[0]
    named = re.findall(r"`([^`]+)`", "\n".join(row.split("|")[1] for row in table.splitlines() if row))

    unnamed = {text.removeprefix("parcels/") for text in made} - {"README.md", ".gitignore"}
    assert {text for text in unnamed if not text.startswith(tuple(named))} == set()
    assert {item for item in named if not any(name.startswith(f"parcels/{item}") for name in made)} == set()


def test_every_answer_of_nginx_has_the_security_headers() -> None:
    """What is said of the server holds in a location only where that adds no header of its own."""
    told = PAGE.partition("```nginx\n")[2].partition("```")[0]
    server, *locations = re.split(r"^    location ", told, flags=re.MULTILINE)
    common = headers_of(server)

    assert common.keys() == {
        "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cache-Control", "Vary",
    }  # fmt: skip
    assert len(locations) == 5
    for location in locations:
        own = headers_of(location)
        assert own == {} or {**common, **own, "Cache-Control": ""} == {**common, "Cache-Control": ""}
    assert sum(bool(headers_of(location)) for location in locations) == 1


def headers_of(part: str) -> dict[str, str]:
    """Return what a part of the settings of nginx adds."""
    return dict(re.findall(r"add_header (\S+) (.+) always;", part))
