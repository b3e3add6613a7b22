"""Measures a site of many rates: CPU seconds of each step, peak memory, and what a reader loads.

The records are made by `bench/records.py`. The steps (load, check, gate, pages) are lapped in a process
of their own; the build is another one, so that its seconds and its memory are those of `devportal build`
alone. Compare numbers of one run only, on a machine that does nothing else.
"""

import argparse
import gc
import gzip
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from devportal.catalog import Catalog, check_catalog, load_catalog, published
from devportal.catalog.pages import Options, catalog_pages
from devportal.findings import Finding

TODAY = date(2026, 12, 1)
_DAY = {"SOURCE_DATE_EPOCH": str(int(datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC).timestamp()))}


def main() -> None:
    """Make the records, lap the steps, build the site, and print what it all took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=int, default=50_000, help="rate versions to make")
    parser.add_argument("--countries", type=int, default=240, help="countries to make them for")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="make all in this folder, and leave it")
    parser.add_argument(
        "--lap", type=Path, metavar="FOLDER", help="lap only the steps, for records made before"
    )
    asked = parser.parse_args()
    if asked.lap is not None:
        print(json.dumps(laps(asked.lap)))
        return
    with TemporaryDirectory(prefix="bench-") as folder:
        project = asked.keep or Path(folder)
        if not (project / "mkdocs.yml").exists():
            make(project, rows=asked.rows, countries=asked.countries)
        report(project)


def make(project: Path, *, rows: int, countries: int) -> None:
    """Have a project made in a process of its own."""
    program = Path(__file__).with_name("records.py")
    options = ["--rows", str(rows), "--countries", str(countries)]
    subprocess.run([sys.executable, str(program), str(project), *options], check=True)


def report(project: Path) -> None:
    """Print the laps of the steps, and what the build took and made."""
    command = [sys.executable, __file__, "--lap", str(project / "data")]
    lapped = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    for name, seconds in json.loads(lapped.stdout).items():
        print(f"{name:<24} {seconds:>10}", flush=True)
    site = project / "site"
    print(f"{'build':<24} {build(project, site)}", flush=True)
    print(f"{'site':<24} {weights(site)}", flush=True)


def laps(records: Path) -> dict[str, float | int]:
    """Return the CPU seconds of each step up to the pages, what came of them, and the peak memory."""
    gc.disable()  # as the commands do
    found: dict[str, float | int] = {}
    started = time.process_time()

    def lap(name: str) -> None:
        nonlocal started
        found[f"{name}, CPU s"] = round(time.process_time() - started, 2)
        started = time.process_time()

    catalog, findings = load_catalog(records, name="data")
    lap("load")
    checked = tuple(check_catalog(catalog, today=TODAY))
    lap("check")
    _refuse(findings, checked, catalog)
    started = time.process_time()
    public = published(catalog.records, catalog.audit, TODAY)
    lap("gate")
    pages = sum(
        1 for _ in catalog_pages(public, Options(site_url="https://rates.example.com/", title="Bench"))
    )
    lap("pages")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    counts = {"rates": len(public.rates), "coverage": len(public.coverage), "pages and files": pages}
    return {**found, **counts, "peak MB": round(peak * 1024 / 1e6)}


def _refuse(findings: Sequence[Finding], checked: Sequence[Finding], catalog: Catalog) -> None:
    """End the program where what was made here is not what it is meant to be."""
    if findings or checked or not catalog.audit.entries:
        sys.exit(f"the records have findings: {[str(finding) for finding in (*findings, *checked)][:3]}")


def build(project: Path, site: Path) -> str:
    """Build once, with no cache, in a process of its own; return in words what it took."""
    command = [sys.executable, "-m", "devportal", "build", "--quiet", "--no-cache"]
    command += ["--config-file", str(project / "mkdocs.yml"), "--site-dir", str(site)]
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **_DAY, "XDG_CACHE_HOME": str(project / "cache")},
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.monotonic() - started
    process.returncode = code = os.waitstatus_to_exitcode(status)
    return (
        f"{usage.ru_utime + usage.ru_stime:.1f} CPU s ({usage.ru_stime:.1f} system), {wall_s:.1f} wall s, "
        f"peak {usage.ru_maxrss * 1024 / 1e6:.0f} MB, exit code {code}"
    )


def weights(site: Path) -> str:
    """Return what the site holds, and its heaviest page, in words."""
    files = [path for path in site.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    pages = [(len(gzip.compress(path.read_bytes())), path) for path in files if path.suffix == ".html"]
    heaviest, path = max(pages, default=(0, site))
    return (
        f"{len(files)} files, {size / 1e6:.1f} MB, {len(pages)} pages; "
        f"the heaviest {heaviest / 1e3:.1f} kB gzipped: {path.relative_to(site).as_posix()}"
    )


if __name__ == "__main__":
    main()
