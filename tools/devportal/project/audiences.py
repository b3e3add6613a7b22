"""The audiences of a project: readers who get their own site from the same contract and pages."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from devportal.errors import InvalidSettings
from devportal.language import UnknownLanguage, read_language
from devportal.project.setting_kinds import SettingKind, SettingsFile
from devportal.project.site_url import refuse_invalid_site_url
from devportal.suggestions import suggest_name

AUDIENCE_VARIABLE = "DEVPORTAL_AUDIENCE"
"""The environment variable with the audience of a site that `mkdocs` builds or serves."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TEXTS_OF_SITE = ("site_name", "site_description")
_MEMBERS = ("overlays", "hide_tags", "allow", "language", "site_url", *_TEXTS_OF_SITE, "docs_dir", "nav")


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Readers with their own site, and what differs for them.

    `allow` are texts that their site may have although only the contract of another audience has them. What is
    empty is as in the project: `nav` is that of MkDocs, None for the project's.
    """

    name: str
    overlays: tuple[Path, ...] = ()
    hide_tags: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    language: str = ""
    site_url: str = ""
    site_name: str = ""
    site_description: str = ""
    docs_dir: Path | None = None
    nav: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class Audiences(SettingKind):
    """A mapping from names to what differs: `overlays`, `hide_tags`, `allow`, `language`, `site_url`, `site_name`,
    `site_description`, `docs_dir` and `nav`, or `{}`.
    """

    default: tuple[Audience, ...] = ()

    def check(self, written: Any) -> tuple[Audience, ...]:
        """Return the audiences in order, their overlays as they are written. Raises InvalidSettings."""
        if written in (None, "") or written == {} or written == ():
            return ()
        if isinstance(written, tuple) and all(isinstance(item, Audience) for item in written):
            return written
        if not isinstance(written, Mapping):
            raise InvalidSettings(
                f"{written!r} is not a mapping of audiences",
                help="write 'public: {}' and 'partner: {overlays: [partner.overlay.yaml]}'",
            )
        return tuple(_audience(name, members) for name, members in written.items())

    def value(self, checked: Any, at: SettingsFile) -> tuple[Audience, ...]:
        """Return the audiences with the paths of their overlays."""
        return tuple(
            replace(
                item,
                overlays=tuple(Path(at.folder, path).resolve() for path in item.overlays),
                docs_dir=Path(at.folder, item.docs_dir).resolve() if item.docs_dir is not None else None,
            )
            for item in checked
        )


def _audience(name: Any, members: Any) -> Audience:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidSettings(
            f"{name!r} is not a name of an audience",
            help="write lower-case letters, digits and hyphens: it is a folder too",
        )
    if members in (None, ""):
        return Audience(name=name)
    if not isinstance(members, Mapping):
        raise InvalidSettings(f"what differs for {name!r} is not a mapping", help=f"write '{name}: {{}}'")
    unknown = next((member for member in members if member not in _MEMBERS), None)
    if unknown is not None:
        raise InvalidSettings(
            f"{unknown!r} of the audience {name!r} is not known",
            help=suggest_name(unknown, _MEMBERS, f"write {', '.join(_MEMBERS)}"),
        )
    site_url = _text(name, "site_url", members)
    docs_dir = _text(name, "docs_dir", members)
    refuse_invalid_site_url(site_url, name=f"site_url of the audience {name!r}")
    return Audience(
        name=name,
        overlays=tuple(map(Path, _texts(name, "overlays", members))),
        hide_tags=_texts(name, "hide_tags", members),
        allow=_texts(name, "allow", members),
        language=_language(name, members.get("language") or ""),
        site_url=site_url,
        **{key: _text(name, key, members) for key in _TEXTS_OF_SITE},
        docs_dir=Path(docs_dir) if docs_dir else None,
        nav=_nav(name, members.get("nav")),
    )


def _language(name: str, written: Any) -> str:
    try:
        return read_language(written) if written else ""
    except UnknownLanguage as error:
        raise InvalidSettings(
            f"language of the audience {name!r}: {written!r} is not a language tag: {error}"
        ) from error


def _nav(name: str, written: Any) -> tuple[Any, ...] | None:
    if written is not None and not isinstance(written, (list, tuple)):
        raise InvalidSettings(
            f"nav of the audience {name!r} is not a list", help="write it as the 'nav' of mkdocs.yml"
        )
    return tuple(written) if written is not None else None


def _text(name: str, key: str, members: Mapping[str, Any]) -> str:
    written = members.get(key) or ""
    if not isinstance(written, str):
        raise InvalidSettings(f"{key} of the audience {name!r} is not text")
    return written


def _texts(name: str, key: str, members: Mapping[str, Any]) -> tuple[str, ...]:
    written = members.get(key)
    listed = [] if written in (None, "") else written if isinstance(written, (list, tuple)) else [written]
    for item in listed:
        if not isinstance(item, str) or not item:
            raise InvalidSettings(f"{key} of the audience {name!r} lists {item!r}", help="list texts")
    return tuple(listed)


def choose_audience(audiences: Sequence[Audience], asked: str | None) -> str:
    """Return the name of the audience to build for: the one asked for, or in the environment, or the first.

    Empty if the project has none. Raises InvalidSettings for a name that does not exist.
    """
    name = asked if asked is not None else os.environ.get(AUDIENCE_VARIABLE, "")
    if not name:
        return audiences[0].name if audiences else ""
    names = [audience.name for audience in audiences]
    if name not in names:
        raise InvalidSettings(
            f"this project has no audience {name!r}",
            help=f"its audiences are {', '.join(names)}"
            if names
            else "declare it under 'audiences' of the plugin devportal in mkdocs.yml",
        )
    return name
