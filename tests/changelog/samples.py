"""Entry files to test with: a right one, and ways to make it wrong."""

from datetime import date
from pathlib import Path

import yaml

from devportal.changelog import Entry, parse_entry

SITE_URL = "https://portal.example/docs/"
TITLE = "Sample API"
FOLDER = Path(__file__).parent / "sample_entries"
BODY = "## What changed\n\nA thing.\n\n## Who is affected\n\nNobody.\n"
MIGRATION = "## What changed\n\nA thing.\n\n## Who is affected\n\nAll.\n\n## Migration\n\nMove.\n"


def front_matter(**fields: object) -> dict[str, object]:
    """Return the front matter of a right entry with fields put in, or taken out by None."""
    fields = {
        "id": "2026-03-05-a-thing",
        "title": "A thing is new",
        "date": "2026-03-05",
        "apis": ["Messages"],
        "impact": "additive",
        "kind": "added",
        "action_required": False,
    } | fields
    return {key: value for key, value in fields.items() if value is not None}


class _Quoting(yaml.SafeDumper):
    """Writes every text between quotes: PyYAML's own rules are those of YAML 1.1, where `0e0` is text."""


_Quoting.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def file_text(body: str = BODY, /, **fields: object) -> str:
    """Return the text of an entry's file."""
    head = yaml.dump(front_matter(**fields), Dumper=_Quoting, sort_keys=False, allow_unicode=True, width=1000)
    return f"---\n{head}---\n\n{body}"


def entry(body: str = BODY, /, **fields: object) -> Entry:
    """Return a right entry."""
    data = front_matter(**fields)
    made, findings = parse_entry(file_text(body, **fields), name=f"changelog/{data['id']}.md")
    assert made is not None, findings
    return made


def entry_on(day: date, slug: str = "a-thing", **fields: object) -> Entry:
    """Return a valid entry of a day."""
    return entry(**{"id": f"{day}-{slug}", "date": str(day)} | fields)
