"""What the site of an audience has for itself in place of the project's: address, name, pages and navigation."""

from pathlib import Path

from mkdocs.config.base import ValidationError
from mkdocs.config.config_options import Nav
from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import InvalidSettings
from devportal.project.audiences import Audience
from devportal.project.inputs import Inputs


def set_site_of_audience(config: MkDocsConfig, inputs: Inputs, *, keep_address: bool) -> None:
    """Set what the chosen audience has for itself; with `keep_address` the address stays as it is.

    Raises InvalidSettings for a folder of pages that is not there or is part of another one, and a wrong `nav`.
    """
    _refuse_nested_pages(inputs, Path(config.docs_dir))
    chosen = inputs.chosen_audience
    if chosen is None:
        return
    if chosen.site_url and not keep_address:
        config.site_url = chosen.site_url if chosen.site_url.endswith("/") else f"{chosen.site_url}/"
    config.site_name = chosen.site_name or config.site_name
    config.site_description = chosen.site_description or config.site_description
    if chosen.docs_dir is not None:
        config.docs_dir = str(chosen.docs_dir)
    if chosen.nav is not None:
        config.nav = _checked_nav(chosen)


def _refuse_nested_pages(inputs: Inputs, docs: Path) -> None:
    """Raise InvalidSettings if pages of an audience would be pages of others too, or there is no such folder."""
    for audience in inputs.audiences:
        if audience.docs_dir is None:
            continue
        name = inputs.name(audience.docs_dir)
        if not audience.docs_dir.is_dir():
            raise InvalidSettings(
                f"docs_dir of the audience {audience.name!r}: {name} is not a folder",
                help="create it, or correct the path",
            )
        others = {docs.resolve(), *(other.docs_dir for other in inputs.audiences if other is not audience)}
        for other in sorted(other for other in others - {audience.docs_dir, None} if other is not None):
            if audience.docs_dir.is_relative_to(other):
                raise InvalidSettings(
                    f"docs_dir of the audience {audience.name!r}: {name} lies in {inputs.name(other)}, so other "
                    "audiences would get these pages",
                    help="move it beside that folder",
                )


def _checked_nav(audience: Audience) -> list[object] | None:
    """Return the `nav` of an audience as MkDocs reads its own. Raises InvalidSettings."""
    try:
        nav: list[object] | None = Nav().run_validation(list(audience.nav or ()))
    except ValidationError as error:
        raise InvalidSettings(
            f"nav of the audience {audience.name!r}: {error}", help="write it as the 'nav' of mkdocs.yml"
        ) from error
    return nav
