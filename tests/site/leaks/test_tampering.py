"""Whole sites of records that somebody has tampered with: no byte of them comes from what is not public.

A site is compared with one of records from which all that should not be public was taken out beforehand. They
are the same to the last byte, so nothing else can be in any file, however it is packed, escaped or drawn.
"""

import json
import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from devportal.catalog import AuditLog, content_sha256
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, State
from devportal.catalog.records.coverage import CoverageTerms
from devportal.catalog.records.loading import PENDING
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import yaml_text
from devportal.findings import has_errors
from tests.catalog.build import COVERAGE, RATE, START, TO_ACTIVE, coverage, log_of, rate, with_unchecked_entry
from tests.catalog.own_book import BOOK, Channel, lay_book, net, replace
from tests.site.building import DAY, ROOT, built_project, contents, environment, write_project
from tests.site.leaks.written import write_roles

PUBLIC = replace(
    RATE,
    id="gb-sms-albion",
    country="GB",
    price=Decimal("0.04107"),
    network=net(name="Albion Cellular", mcc="234", mnc="099"),
)
NEXT = replace(PUBLIC, version=2, price=Decimal("0.03771"))
DRAFT = replace(
    RATE,
    id="no-sms-brage",
    price=Decimal("0.42429"),
    network=net(name="Brage Nett", mcc="242", mnc="097"),
)
SUBMITTED = replace(RATE, id="dk-sms-holm", country="DK", price=Decimal("0.55117"), network=None)
WITHDRAWN = replace(RATE, id="se-sms-vind", country="SE", price=Decimal("0.77331"), network=None)
VOICE = replace(COVERAGE, id="se-voice", country="SE", dialling_code="46", channel=Channel.VOICE)

STATES: dict[RateTerms | CoverageTerms, tuple[State, tuple[Action, ...]]] = {
    PUBLIC: (State.ACTIVE, TO_ACTIVE),
    COVERAGE: (State.ACTIVE, TO_ACTIVE),
    NEXT: (State.APPROVED, TO_ACTIVE[:3]),
    DRAFT: (State.DRAFT, TO_ACTIVE[:1]),
    VOICE: (State.DRAFT, TO_ACTIVE[:1]),
    WITHDRAWN: (State.WITHDRAWN, (*TO_ACTIVE, Action.WITHDRAW)),
    SUBMITTED: (State.SUBMITTED, TO_ACTIVE[:2]),
}
NOTE = "Waits for the signature in Bergen"
SECRETS = (
    "0.03771",
    "0.42429",
    "0.55117",
    "0.77331",
    "0.99173",
    "Brage",
    "se-voice",
    "Bergen",
    "dk-sms-holm",
)
BOTH = (PUBLIC, COVERAGE)
SiteWithout = Callable[..., dict[str, bytes]]


def whole_log() -> AuditLog:
    """Return the log of all versions, without faults."""
    log = AuditLog()
    for terms, (_, steps) in STATES.items():
        log = log_of(terms, steps=steps, log=log)
    return log


def write_folder(data: Path, *kept: RateTerms | CoverageTerms) -> None:
    """Write the records that are kept, each into its own file, with the log of all of them."""
    for terms in kept:
        status, _ = STATES[terms]
        made = rate(terms, status, NOTE) if isinstance(terms, RateTerms) else coverage(terms, status)
        path = file_of(data, terms)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml_text([made], BOOK), encoding="utf-8")
    data.mkdir(exist_ok=True)
    (data / "audit.jsonl").write_text(whole_log().text(), encoding="utf-8")
    write_roles(data)
    lay_book(data)


def file_of(data: Path, terms: RateTerms | CoverageTerms) -> Path:
    """Return the file that a version is in."""
    return data / str(terms.kind) / f"{terms.id}-{terms.version}.yaml"


def site_of(folder: Path) -> tuple[dict[str, bytes], bool]:
    """Return every file of the site of a project, and whether anything is wrong in it."""
    write_project(folder, plugin={"records": "data"}, site_url="https://parcels.example/")
    with environment(SOURCE_DATE_EPOCH=DAY):
        built = built_project(folder / "mkdocs.yml", folder / "site")
    return contents(folder / "site"), has_errors(built.findings)


@pytest.fixture(scope="module")
def site_without(tmp_path_factory: pytest.TempPathFactory) -> SiteWithout:
    """Return what returns the site of records that hold these versions only; each is built once."""

    @cache
    def build(*kept: RateTerms | CoverageTerms) -> dict[str, bytes]:
        folder = tmp_path_factory.mktemp("without")
        write_folder(folder / "data", *kept)
        return site_of(folder)[0]

    return build


def replace_in_file(data: Path, terms: RateTerms | CoverageTerms, old: str, new: str) -> None:
    """Change the file of a version."""
    file = file_of(data, terms)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def mark_active(terms: RateTerms | CoverageTerms) -> Callable[[Path], None]:
    """Have a version say that it is active, which the log does not."""
    return lambda data: replace_in_file(data, terms, f"status: {STATES[terms][0]}", "status: active")


def with_log(change: Callable[[list[str]], list[str]]) -> Callable[[Path], None]:
    """Change the lines of the log."""

    def tamper(data: Path) -> None:
        log = data / "audit.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
        changed = change(lines)
        assert changed != lines
        log.write_text("".join(changed), encoding="utf-8")

    return tamper


def forge_step(action: Action, terms: RateTerms, **changes: object) -> Callable[[Path], None]:
    """Put a step on the log that nobody may take, with hashes that fit, and its state into the file."""

    def tamper(data: Path) -> None:
        status, _ = STATES[terms]
        sha256 = content_sha256(terms)
        log = with_unchecked_entry(
            whole_log(), action, terms.ref, from_state=status, content_sha256=sha256, **changes
        )
        (data / "audit.jsonl").write_text(log.text(), encoding="utf-8")
        replace_in_file(data, terms, f"status: {status}", f"status: {TRANSITIONS[action].target}")

    return tamper


def link_file(name: str) -> Callable[[Path], None]:
    """Put a link to it in the place of a file."""

    def tamper(data: Path) -> None:
        (data / name).rename(data.parent / "elsewhere")
        (data / name).symlink_to(data.parent / "elsewhere")

    return tamper


def write_twice(data: Path) -> None:
    """Write the public version down once more, with another price."""
    file = file_of(data, PUBLIC)
    text = file.read_text(encoding="utf-8").replace("0.04107", "0.99173")
    file.with_name("again.yaml").write_text(text, encoding="utf-8")


def edit_after_approval(data: Path) -> None:
    """Change the price of the public version."""
    replace_in_file(data, PUBLIC, "0.04107", "0.99173")


def leave_pending_write(data: Path) -> None:
    """Leave a write that would make the price another one."""
    (data / PENDING).write_text(json.dumps({"after": "price: 0.99173"}), encoding="utf-8")


def break_roles(data: Path) -> None:
    """Make the roles unreadable."""
    (data / "roles.yaml").write_text("roles: [", encoding="utf-8")


FORGED = {"actor": "lin", "at": START + timedelta(hours=1)}
CASES: dict[str, tuple[Callable[[Path], None], tuple[RateTerms | CoverageTerms, ...]]] = {
    "a draft marked active": (mark_active(DRAFT), BOTH),
    "a draft of coverage marked active": (mark_active(VOICE), BOTH),
    "what was submitted marked active": (mark_active(SUBMITTED), BOTH),
    "what was approved marked active": (mark_active(NEXT), BOTH),
    "what was withdrawn marked active": (mark_active(WITHDRAWN), BOTH),
    "an edit after approval": (edit_after_approval, (COVERAGE,)),
    "a version written twice": (write_twice, (COVERAGE,)),
    "a draft activated on the log": (forge_step(Action.ACTIVATE, DRAFT, **FORGED), BOTH),
    "an activation without the role": (forge_step(Action.ACTIVATE, NEXT, **FORGED | {"actor": "ida"}), BOTH),
    "an approval by its writer": (forge_step(Action.APPROVE, SUBMITTED, **FORGED | {"actor": "ida"}), BOTH),
    "two lines swapped": (with_log(lambda lines: [lines[1], lines[0], *lines[2:]]), ()),
    "the last lines swapped": (with_log(lambda lines: [*lines[:-2], lines[-1], lines[-2]]), ()),
    "the first line removed": (with_log(lambda lines: lines[1:]), ()),
    "a line removed": (with_log(lambda lines: [*lines[:9], *lines[10:]]), ()),
    "a line edited": (with_log(lambda lines: [lines[0].replace('"ida"', '"omar"'), *lines[1:]]), ()),
    "a line written twice": (with_log(lambda lines: [*lines, lines[-1]]), ()),
    "a torn line": (with_log(lambda lines: [*lines[:-1], lines[-1][:-9]]), ()),
    "the last line removed": (with_log(lambda lines: lines[:-1]), BOTH),
    "the activation removed from the end": (with_log(lambda lines: lines[:3]), ()),
    "the log emptied": (with_log(lambda _: []), ()),
    "a linked log": (link_file("audit.jsonl"), ()),
    "a linked record": (link_file(f"rates/{PUBLIC.id}-1.yaml"), (COVERAGE,)),
    "broken roles": (break_roles, ()),
    "an interrupted write": (leave_pending_write, ()),
}
"""How the records are changed, and what is public all the same."""
_CHEAP = ("a draft marked active", "an edit after approval", "a line removed")


def differing_files(first: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Return the names of the files that are not the same in two sites."""
    return sorted(name for name in first | other if first.get(name) != other.get(name))


def test_a_site_has_no_byte_of_what_is_not_public(tmp_path: Path, site_without: SiteWithout) -> None:
    """Of sound records, too."""
    write_folder(tmp_path / "data", *STATES)

    site, is_wrong = site_of(tmp_path)

    assert not is_wrong
    assert differing_files(site, site_without(*BOTH)) == []
    assert [
        secret for secret in SECRETS if any(secret.encode() in content for content in site.values())
    ] == []
    assert any(b"0.04107" in content for content in site.values())


@pytest.mark.parametrize(
    "name", [pytest.param(case, marks=() if case in _CHEAP else pytest.mark.deep) for case in CASES]
)
def test_a_site_of_tampered_records_has_no_byte_of_what_is_not_public(
    name: str, tmp_path: Path, site_without: SiteWithout
) -> None:
    """It is the site of what is public all the same, and the build says that something is wrong."""
    tamper, public = CASES[name]
    write_folder(tmp_path / "data", *STATES)
    tamper(tmp_path / "data")

    site, is_wrong = site_of(tmp_path)

    assert is_wrong
    assert differing_files(site, site_without(*public)) == []


def test_a_byte_of_what_is_not_public_would_be_found(tmp_path: Path, site_without: SiteWithout) -> None:
    """Records that publish one version more make another site."""
    activate = log_of(
        NEXT, steps=(Action.ACTIVATE,), log=log_of(PUBLIC, steps=(Action.SUPERSEDE,), log=whole_log())
    )
    write_folder(tmp_path / "data", *STATES)
    (tmp_path / "data" / "audit.jsonl").write_text(activate.text(), encoding="utf-8")
    replace_in_file(tmp_path / "data", PUBLIC, "status: active", "status: superseded")
    mark_active(NEXT)(tmp_path / "data")

    site, _ = site_of(tmp_path)

    assert site != site_without(*BOTH)
    assert any(b"0.03771" in content for content in site.values())


def mark_all_unpublished_active(data: Path) -> None:
    """Have all versions that were never public, or are not any more, say that they are active."""
    for file in data.rglob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        marked = re.sub(r"status: (?:draft|submitted|approved|rejected|withdrawn)\b", "status: active", text)
        file.write_text(marked, encoding="utf-8")


def edit_every_price(data: Path) -> None:
    """Add a digit to the price of every rate."""
    for file in (data / "rates").glob("*.yaml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r"(price: [\"']?[0-9.]+)", r"\g<1>7", text), encoding="utf-8")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("tamper", "gone"),
    [
        (mark_all_unpublished_active, ()),
        (edit_every_price, ("rates",)),
        (with_log(lambda lines: [*lines[:40], lines[41], lines[40], *lines[42:]]), ("rates", "coverage")),
        (with_log(lambda lines: [*lines[:700], *lines[701:]]), ("rates", "coverage")),
    ],
    ids=["marked active", "edited after approval", "lines swapped", "a line removed"],
)
def test_a_site_of_our_own_records_that_were_tampered_with(
    tmp_path: Path, tamper: Callable[[Path], None], gone: tuple[str, ...]
) -> None:
    """Hundreds of versions in every state: it is the site of the records without what lost its proof."""
    for name in ("tampered", "reference"):
        shutil.copytree(ROOT / "data", tmp_path / name / "data")
    tamper(tmp_path / "tampered" / "data")
    for kind in gone:
        shutil.rmtree(tmp_path / "reference" / "data" / kind)

    site, is_wrong = site_of(tmp_path / "tampered")

    assert is_wrong
    assert differing_files(site, site_of(tmp_path / "reference")[0]) == []
