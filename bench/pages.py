"""Measures a page of one operation in Chromium, beside the pages that others make of the same contract.

For each contract and each tool: what is transferred to show the page (packed with gzip, nothing cached), the
requests, those of them that leave the site, elements, layout shift, what axe-core finds of WCAG 2.2 A and AA,
violations of the policy `default-src 'self'`, and whether the fields of the operation can be read without
scripts. With `--lighthouse` its four scores on phone settings, too.

Redoc, Scalar, Swagger UI, Elements and Lighthouse come from npm, into the folder `--packages`. Their scripts
are served from there, so that what is measured is what they are, not the network. Requests to other hosts are
counted; where there is no network, they lead nowhere.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.pages_lighthouse import CATEGORIES, Scores, scores
from bench.pages_measure import Measured, browser, measure_page
from bench.pages_peers import PEERS, install, peer_page
from bench.pages_serving import serving
from bench.pages_target import Target, target_of

from devportal.contract import load_contract

_OURS = "devportal"
_COLUMNS = "{:<14} {:>9} {:>7} {:>7} {:>9} {:>8} {:>7} {:>7} {:>11} {:>7} {:>9} {:>8}"
_HEADS = (
    "tool", "total KB", "JS KB", "CSS KB", "requests", "outside", "nodes", "CLS", "axe rules/n", "policy",
    "no script", "text s",
)  # fmt: skip


def main() -> None:
    """Measure the contracts that are named, or this project's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("contracts", nargs="*", type=Path, metavar="FILE", help="OpenAPI files to show")
    parser.add_argument("--tools", default=",".join((_OURS, *PEERS)), help="which, with commas between them")
    parser.add_argument("--packages", type=Path, default=Path(".cache/bench-packages"), help="npm's folder")
    parser.add_argument("--operation", default="", help="the operationId of the page (the first with a body)")
    parser.add_argument(
        "--lighthouse", action="store_true", help="ask Lighthouse as well; takes a minute each"
    )
    asked = parser.parse_args()
    tools = [text for text in (_OURS, *PEERS) if text in asked.tools.split(",")]
    install(asked.packages, tools, with_lighthouse=asked.lighthouse)
    for contract in asked.contracts or [Path("openapi/openapi.yaml")]:
        report(contract, tools, asked)


def report(contract: Path, tools: Sequence[str], asked: argparse.Namespace) -> None:
    """Print a row for each tool."""
    api = load_contract(contract).api
    target = target_of(api, asked.operation)
    print(f"\n{contract.name}: {target.method} {target.path}, {len(api.operations):,} operations")
    print(_COLUMNS.format(*_HEADS))
    with TemporaryDirectory(prefix="bench-pages-") as scratch:
        for tool in tools:
            folder = Path(scratch) / tool
            if tool == _OURS:
                build(contract, folder)
                page = target.page
            else:
                page = peer_page(tool, folder, contract, target, asked.packages)
            print(row(tool, look(folder, page, target)), flush=True)
            if asked.lighthouse:
                print(
                    f"{'':<14} Lighthouse, phone: {scores_text(lighthouse(folder, page, asked.packages))}",
                    flush=True,
                )


def build(contract: Path, folder: Path) -> None:
    """Make a site around a contract with this project."""
    command = [
        sys.executable,
        "-m",
        "devportal",
        "build",
        "--contract",
        str(contract),
        "-d",
        str(folder),
        "-q",
    ]
    subprocess.run(
        [*command, "--no-cache"], check=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def look(folder: Path, page: str, target: Target) -> Measured:
    """Return what a browser sees of a page."""
    with serving(folder) as plain, serving(folder, strict=True) as strict, browser() as opened:
        return measure_page(opened, f"{plain}/{page}", f"{strict}/{page}", target)


def lighthouse(folder: Path, page: str, packages: Path) -> Scores:
    """Return the scores of a page."""
    with serving(folder) as origin:
        return scores(f"{origin}/{page}", packages)


def row(tool: str, seen: Measured) -> str:
    """Return the line of a tool."""
    return _COLUMNS.format(
        tool,
        f"{seen.total_bytes / 1000:.0f}",
        f"{seen.script_bytes / 1000:.0f}",
        f"{seen.style_bytes / 1000:.0f}",
        seen.requests,
        seen.outside,
        seen.nodes,
        f"{seen.shift:.3f}",
        f"{len(seen.barriers)}/{sum(seen.barriers.values())}",
        seen.violations,
        "yes" if seen.is_read_without_scripts else "no",
        "never" if seen.text_s is None else f"{seen.text_s:.1f}",
    )


def scores_text(found: Scores) -> str:
    """Return scores in words, with the speed of the machine that they were measured on."""
    values = ", ".join(f"{name} {value}" for name, value in zip(CATEGORIES, found.by_category, strict=True))
    return f"{values} (benchmark index of the machine: {found.benchmark_index})"


if __name__ == "__main__":
    main()
