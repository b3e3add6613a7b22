"""Scripts are loaded without what only people read, and do the same."""

import gzip
import subprocess
from pathlib import Path

import pytest

from devportal.site.links.assets import links_in_module
from devportal.site.rendering.environments import THEME
from devportal.site.rendering.page_assets import packed_script
from tests.javascript import check_modules, node
from tests.waiting import PATIENCE_S

from .building import built_project, contents, write_project

SCRIPTS = sorted((THEME / "assets" / "devportal").rglob("*.js"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(THEME).as_posix())
def test_a_packed_script_loads_what_its_source_loads(script: Path) -> None:
    """No import is lost."""
    source = script.read_text(encoding="utf-8")
    packed = packed_script(source)

    assert [link.target for link in links_in_module(packed)] == [
        link.target for link in links_in_module(source)
    ]


def test_packed_scripts_are_scripts(tmp_path: Path) -> None:
    """Each parses."""
    packed = {
        script.relative_to(THEME).as_posix(): packed_script(script.read_text(encoding="utf-8"))
        for script in SCRIPTS
    }

    check_modules(packed, tmp_path)


def test_a_fifth_less_is_loaded() -> None:
    """Packed as hosts pack it: comments are many, because people read them."""
    sources = [script.read_text(encoding="utf-8") for script in SCRIPTS]

    before, after = (
        sum(len(gzip.compress(text.encode())) for text in texts)
        for texts in (sources, map(packed_script, sources))
    )

    assert after < 0.85 * before


def test_what_a_script_says_stays(tmp_path: Path) -> None:
    """Texts, templates in templates and patterns keep their blanks, also where they look like comments."""
    said = ('"a  // b"', "'/* c */'", "`d\n  ${ e ? ` f  ${e}` : '' }  // g`", r"String(/[/]  \/\/ h/u)")
    source = f"// gone\nconst e  =  1;\nconsole.log(JSON.stringify([{', '.join(said)}]));  // gone\n"

    packed = packed_script(source)

    assert run_script(packed, tmp_path) == run_script(source, tmp_path) != ""
    assert "gone" not in packed
    assert "  =  " not in packed


def test_names_that_nobody_else_sees_are_short(tmp_path: Path) -> None:
    """Of what a module exports, and of what an import makes, the names stay."""
    imports = 'import { sep } from "node:path";\n'
    named = "const longName = `a${sep}b`;\nfunction inWords(some) { return some + longName; }\n"
    source = f"// Says it.\n\n{imports}\n{named}console.log(inWords('c'));\n"

    packed = packed_script(source)

    assert "longName" not in packed
    assert run_script(packed, tmp_path) == run_script(source, tmp_path) == "ca/b\n"
    assert "longName" in packed_script(f"export {named}")
    assert "longName" in packed_script(f"{named}{imports}")


def run_script(script: str, folder: Path) -> str:
    """Return what a script prints."""
    (folder / "said.mjs").write_text(script, encoding="utf-8")
    return subprocess.run(
        [node(), str(folder / "said.mjs")], check=True, capture_output=True, text=True, timeout=PATIENCE_S
    ).stdout


def test_scripts_of_a_site_are_packed_but_not_those_of_a_project(folder: Path) -> None:
    """What somebody puts in the place of a script of ours is theirs."""
    config = write_project(folder, theme={"name": "material", "custom_dir": str(folder / "mine")})
    own = folder / "mine" / "assets" / "devportal" / "copy.js"
    own.parent.mkdir(parents=True)
    own.write_text("// mine\nlet  a;\n", encoding="utf-8")

    files = contents(built_project(config, folder / "site").site_dir)

    assert files["assets/devportal/copy.js"] == b"// mine\nlet  a;\n"
    assert not files["assets/devportal/portal.js"].startswith(b"//")
