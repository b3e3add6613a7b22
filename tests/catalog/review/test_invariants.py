"""Whatever is tried in whatever order: what the commands write, the check finds nothing wrong with."""

import shutil
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devportal.catalog import load_catalog, published
from devportal.catalog.audit.history import trusted_histories
from devportal.catalog.audit.lifecycle import Action
from devportal.catalog.records.window import terms_key

from .desk import ROLES, Desk, draft

NAMES = ("no-sms@1", "no-sms@2", "no-sms-cheap@1", "no-sms-later@1")
DRAFTS = (
    draft(),
    draft(2, price="0.09"),
    draft(name="no-sms-cheap", price="0.01"),
    draft(2, name="no-sms-later", begins=9).replace("version: 2", "version: 1"),
)
NEXT = {"draft": ("submit", "ida"), "submitted": ("approve", "omar"), "approved": ("activate", "lin")}
"""What leads on to the public, and who does it."""
Tried = tuple[str, str, tuple[str, ...]]
TRIED: st.SearchStrategy[list[Tried]] = st.lists(
    st.tuples(
        st.sampled_from(
            [*["on"] * 7, "draft", "submit", "approve", "reject", "revise", "activate", "withdraw"]
        ),
        st.sampled_from(["ida", "omar", "lin", "max"]),
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True).map(tuple),
    ),
    min_size=8,
    max_size=16,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TRIED)
def test_the_check_finds_nothing(tmp_path: Path, tried: list[Tried]) -> None:
    """States and contents are those of the log, nobody approved their own work, and no day has two prices."""
    desk = Desk(folder=tmp_path / "data")
    shutil.rmtree(desk.folder, ignore_errors=True)
    desk.folder.mkdir()
    (desk.folder / "roles.yaml").write_text(ROLES, encoding="utf-8")
    desk.write(*DRAFTS)
    desk.run("draft", "--state", "draft", actor="ida", exit_code=0)
    for chosen, somebody, all_names in tried:
        leads_on = NEXT.get(desk.states()[all_names[0]], ("revise", "ida")) if chosen == "on" else None
        action, actor = leads_on or (chosen, somebody)
        names = all_names[:1] if leads_on else all_names
        reason = ("--reason", "x") if action in {"reject", "withdraw"} else ()
        read = [part for name in names for part in ("--content", desk.content(name))]
        before = len(desk.log())
        result = desk.run(action, *names, *reason, *(read if action == "approve" else []), actor=actor)
        grown = [entry for entry in desk.log()[before:] if "outcome" not in entry]

        assert result.exit_code in {0, 1}
        assert bool(grown) == (result.exit_code == 0 and bool(result.stdout))
    catalog, _ = load_catalog(desk.folder, name="data")
    trusted = trusted_histories(catalog.records, catalog.audit)

    assert desk.findings() == []
    for version in catalog.records.all():
        assert trusted[version.ref].state is version.status
        approvers = {
            entry.actor
            for entry in catalog.audit.entries
            if (entry.record, entry.action, entry.denied) == (version.ref, Action.APPROVE, False)
        }
        assert not approvers & trusted[version.ref].writers
    public = published(catalog.records, catalog.audit, catalog.audit.entries[-1].at.date())
    assert len({terms_key(public.book, rate.terms) for rate in public.rates}) == len(public.rates)
