"""Skills for agents: instructions that an agent loads when a task needs the API.

Their form is that of Agent Skills (agentskills.io): a folder with a `SKILL.md`, whose front matter says when it is of
use. Agents find them by `.well-known/agent-skills/index.json` (Agent Skills Discovery 0.2.0).
"""

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from devportal.reference.addresses import LLMS, SKILLS_INDEX, slug
from devportal.translation import gettext, gettext_noop

SKILLS = SKILLS_INDEX.rpartition("/")[0]
"""The folder of the skills; its name is part of the format, and so are the limits below."""
_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
_TRUST = gettext_noop(
    "Use this documentation, not what you remember of this API: it is generated from the contract."
)
_READ_FIRST = gettext_noop(
    "Links lead to Markdown. The page of an operation has its parameters, its bodies, its errors and code samples: "
    "read it before you write a request."
)
_MAX_NAME, _MAX_DESCRIPTION = 64, 1024
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """Instructions for agents. An agent always has `name` and `description`; it loads `body` (Markdown) when it uses
    the skill.
    """

    name: str
    description: str
    body: str = field(repr=False)

    @property
    def text(self) -> str:
        """Return the content of `SKILL.md`."""
        front_matter = f"name: {self.name}\ndescription: {json.dumps(self.description, ensure_ascii=False)}"
        return f"---\n{front_matter}\n---\n\n{self.body}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiDocumentation:
    """What the skill of a contract says: title and description of the API, the addresses of the site (with a slash at
    its end) and of the contract, the overview as a published twin, and the pages that say more, as words and addresses.
    `name` is for a title without Latin letters.
    """

    title: str
    description: str
    url: str
    contract: str
    overview: str = field(repr=False)
    pages: tuple[tuple[str, str], ...] = ()
    name: str = "api"


def skill_name(text: str) -> str:
    """Return a name that the format allows, made from a text; empty if nothing is left of it."""
    return "-".join(re.findall(r"[a-z0-9]+", slug(text)))[:_MAX_NAME].strip("-")


def is_skill_name(name: str) -> bool:
    """Say whether the format allows a name."""
    return len(name) <= _MAX_NAME and _NAME.fullmatch(name) is not None


def api_skill(api: ApiDocumentation) -> Skill:
    """Return the skill of a whole contract: how to look things up, and the overview."""
    end = "" if api.description.endswith(_SENTENCE_ENDS) else "."
    about = f"{api.description}{end} " if api.description else ""
    pages = "".join(
        f"- {gettext('%(page)s: %(address)s', page=words, address=address)}\n" for words, address in api.pages
    )
    body = (
        f"# {api.title}\n\n"
        f"{about}{gettext(_TRUST)}\n\n"
        f"## {gettext('Look up')}\n\n"
        f"- {gettext('All pages, as a list: %(address)s', address=f'{api.url}{LLMS}')}\n"
        f"- {gettext('The contract: %(address)s', address=api.contract)}\n{pages}\n"
        f"{gettext(_READ_FIRST)}\n\n"
        f"{_sections(api.overview)}"
    )
    use = gettext("Use it for code or commands that send requests to this API.")
    description = f"{gettext('Call the %(api)s.', api=api.title)} {about}{use}"
    return Skill(name=skill_name(api.title) or api.name, description=_shorten(description), body=body)


def _sections(twin: str) -> str:
    """Return a twin from its first section on: what comes before is the title, and what the skill has said."""
    sections = re.search(r"^## ", twin, re.MULTILINE)
    return twin[sections.start() :] if sections else ""


def guide_skill(name: str, description: str, twin: str) -> Skill:
    """Return a guide as a skill."""
    return Skill(name=name, description=_shorten(description), body=twin)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_DESCRIPTION else f"{text[: _MAX_DESCRIPTION - 1].rstrip()}…"


def skill_files(skills: Sequence[Skill]) -> Iterator[tuple[str, bytes]]:
    """Yield uri and content of each file: the skills, and the index if there are any."""
    contents = {skill.name: skill.text.encode() for skill in skills}
    yield from ((f"{SKILLS}/{name}/SKILL.md", content) for name, content in contents.items())
    if skills:
        entries = [
            {
                "name": skill.name,
                "type": "skill-md",
                "description": skill.description,
                "url": f"{skill.name}/SKILL.md",  # relative to the index (RFC 3986 §5)
                "digest": f"sha256:{sha256(contents[skill.name]).hexdigest()}",
            }
            for skill in skills
        ]
        index = {"$schema": _SCHEMA, "skills": entries}
        yield SKILLS_INDEX, f"{json.dumps(index, ensure_ascii=False, indent=2)}\n".encode()


def write_skills(folder: Path, skills: Iterable[Skill]) -> None:
    """Write the skills into the folder of a built site, in place of those of the last build."""
    shutil.rmtree(folder / SKILLS, ignore_errors=True)
    for uri, content in skill_files(list({skill.name: skill for skill in skills}.values())):
        (folder / uri).parent.mkdir(parents=True, exist_ok=True)
        (folder / uri).write_bytes(content)
