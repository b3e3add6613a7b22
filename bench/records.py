"""Makes a project whose site is made of records alone: what `bench/catalog.py` measures.

Products, directions, networks, number types, prefixes and two currencies in each country; every fiftieth
version is not public, in turn in each state that is not. The log explains them all: nothing is wrong with it.
What was replaced was in force for four months before, so that countries have histories.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from devportal.catalog import (
    AuditEntry,
    Catalog,
    CoverageVersion,
    RateVersion,
    content_sha256,
    load_catalog,
)
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.audit.log import FIRST, line_sha256
from devportal.catalog.records.codes import country_names

SITE_URL = "https://rates.example.com/"
_PRODUCTS = (("sms", "segment"), ("mms", "message"), ("voice", "minute"))
_TYPES = ("mobile", "local", "national", "toll_free", "short_code")
_TO_APPROVED = (Action.CREATE, Action.SUBMIT, Action.APPROVE)
_STEPS: Mapping[State, tuple[Action, ...]] = {
    State.ACTIVE: (*_TO_APPROVED, Action.ACTIVATE),
    State.DRAFT: (Action.CREATE,),
    State.SUBMITTED: (Action.CREATE, Action.SUBMIT),
    State.REJECTED: (Action.CREATE, Action.SUBMIT, Action.REJECT),
    State.APPROVED: _TO_APPROVED,
    State.SUPERSEDED: (*_TO_APPROVED, Action.ACTIVATE, Action.SUPERSEDE),
    State.WITHDRAWN: (*_TO_APPROVED, Action.ACTIVATE, Action.WITHDRAW),
}
_NOT_PUBLIC = tuple(state for state in _STEPS if state is not State.ACTIVE)
_BOOK = Path(__file__).parents[1] / "data" / "book.yaml"
"""The rate book that the records are written by."""
_ROLES = """\
roles:
  - {actor: ida, roles: [editor]}
  - {actor: omar, roles: [approver]}
  - {actor: lin, roles: [publisher]}
"""
_START, _CHANGE = datetime(2026, 1, 5, 9, tzinfo=UTC), datetime(2026, 11, 1, 9, tzinfo=UTC)
"""When versions were made, and when some were replaced: in between, those of July were in force."""
_EVERY = 50
"""One version in this many is not public."""


def main() -> None:
    """Write the project that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write it")
    parser.add_argument("--rows", type=int, default=50_000, help="rate versions to make")
    parser.add_argument("--countries", type=int, default=240, help="countries to make them for")
    asked = parser.parse_args()
    write_project(asked.folder, rows=asked.rows, countries=asked.countries)


def write_project(folder: Path, *, rows: int, countries: int) -> None:
    """Write a project whose site is made of records alone."""
    data = folder / "data"
    for below in ("data/rates", "data/coverage", "docs"):
        (folder / below).mkdir(parents=True, exist_ok=True)
    names = sorted(country_names())[:countries]
    for position, country in enumerate(names):
        count = rows // len(names) + (position < rows % len(names))
        _write_country(data, country, position, count)
    (data / "book.yaml").write_bytes(_BOOK.read_bytes())
    _write_log(data)
    (data / "roles.yaml").write_text(_ROLES, encoding="utf-8")
    (folder / "docs" / "index.md").write_text("# Bench\n\n[Rates](rates/index.md)\n", encoding="utf-8")
    settings = 'contract: ""\n      records: data\n'
    (folder / "mkdocs.yml").write_text(
        f"site_name: Bench\nsite_url: {SITE_URL}\ntheme:\n  name: material\n"
        f"plugins:\n  - search\n  - devportal:\n      {settings}",
        encoding="utf-8",
    )


def _write_country(data: Path, country: str, position: int, count: int) -> None:
    rates = "".join(_rates(country, position, count))
    coverage = "".join(_coverage(country, position))
    (data / "rates" / f"{country.lower()}.yaml").write_text(f"rates:\n{rates}", encoding="utf-8")
    (data / "coverage" / f"{country.lower()}.yaml").write_text(f"coverage:\n{coverage}", encoding="utf-8")


def _rates(country: str, position: int, count: int) -> Iterator[str]:
    """Yield the rates of a country; one that is not public is another version of the rate behind it."""
    rng = Random(position)  # noqa: S311 - prices, not secrets
    for number in range(count):
        if number % _EVERY != _EVERY - 2 or number + 1 == count:
            follows = number % _EVERY == _EVERY - 1
            state = _unpublished_state(position + number - 1) if follows else State.ACTIVE
            is_second = follows and state in {State.SUPERSEDED, State.WITHDRAWN}
            yield _rate(country, position, number, rng, version=1 + is_second)
        else:
            state = _unpublished_state(position + number)
            is_first = state in {State.SUPERSEDED, State.WITHDRAWN}
            yield _rate(country, position, number + 1, rng, version=2 - is_first, state=state)


def _unpublished_state(number: int) -> State:
    return _NOT_PUBLIC[number % len(_NOT_PUBLIC)]


def _rate(
    country: str, position: int, number: int, rng: Random, *, version: int, state: State = State.ACTIVE
) -> str:
    product, unit = _PRODUCTS[number % 3]
    direction = ("outbound", "inbound")[number // 3 % 2]
    currency = ("EUR", "USD")[number // 6 % 2]
    network, kind = number // 12 % 1000, _TYPES[number // 12_000 % 5]
    lines = [
        f"- id: {country.lower()}-{product}-{number}",
        f"  version: {version}",
        f"  status: {state}",
        "  sample: yes",
        *([f"  note: Agreed with carrier {position}-{number}"] if state is not State.ACTIVE else []),
        f"  product: {product}",
        f"  direction: {direction}",
        f"  country: {country}",
        f"  network: {{name: {country.title()}tel {network}, mcc: {200 + position}, mnc: {network:03}}}",
        f"  number_type: {kind}",
        *([f"  prefixes: [{1 + position % 8}{number:05}, 9{number:05}]"] if product == "voice" else []),
        f"  unit: {unit}",
        f"  price: {rng.randrange(1, 100_000) / 100_000:.5f}",
        f"  currency: {currency}",
        *(["  billing_increment: 60/1"] if product == "voice" else []),
        f"  effective_from: 2026-{3 + 4 * version:02}-01",
    ]
    return "".join(f"  {line}\n" for line in lines) + "\n"


def _coverage(country: str, position: int) -> Iterator[str]:
    for number, channel in enumerate(("sms", "mms", "voice")):
        state = State.ACTIVE if (position + number) % _EVERY else _unpublished_state(position)
        support = ("full", "limited", "full", "unavailable")[(position + number) % 4]
        yield (
            f"  - id: {country.lower()}-{channel}\n    version: 1\n    status: {state}\n    sample: yes\n"
            f"    country: {country}\n    dialling_code: {100 + position}\n    channel: {channel}\n"
            f"    support: {support}\n    number_types: [mobile, local]\n"
            "    features: {two_way: yes, delivery_receipts: yes, unicode: unknown}\n"
            "    registration: {scheme: sender_id, lead_time_days: 14}\n    restrictions:\n"
            f"      - Sender names of {country} are registered first\n"
            "    reviewed_on: 2026-01-20\n    effective_from: 2026-07-01\n\n"
        )


def _write_log(data: Path) -> None:
    """Write the log in which each version went through its steps."""
    catalog, findings = load_catalog(data, name="data")
    if findings:
        sys.exit(f"the records have findings: {findings[0]}")
    with (data / "audit.jsonl").open("w", encoding="utf-8", newline="\n") as log:
        log.writelines(f"{line}\n" for line in _lines(catalog))


def _lines(catalog: Catalog) -> Iterable[str]:
    """Yield the lines: the steps of the start a second apart, then those of the day of change."""
    previous = FIRST
    for start, is_later in ((_START, False), (_CHANGE, True)):
        at = start
        for version in catalog.records.all():
            sha256 = content_sha256(version.terms)
            state: State | None = None
            for action in _STEPS[version.status]:
                transition, before = TRANSITIONS[action], state
                state = transition.target
                if _is_later(version, action) is not is_later:
                    continue
                at += timedelta(seconds=1)
                line = AuditEntry(
                    at=at,
                    actor={"editor": "ida", "approver": "omar"}.get(transition.role, "lin"),
                    role=transition.role,
                    action=action,
                    record=version.ref,
                    from_state=before,
                    to_state=transition.target,
                    reason="Agreed",
                    content_sha256=sha256,
                    previous_sha256=previous,
                ).line()
                previous = line_sha256(line)
                yield line


def _is_later(version: RateVersion | CoverageVersion, action: Action) -> bool:
    """Say whether a step is one of the day of change: what is replaced or ends, and what replaces it."""
    ends = action in {Action.SUPERSEDE, Action.WITHDRAW}
    return ends or (version.terms.version > 1 and action is Action.ACTIVATE)


if __name__ == "__main__":
    main()
