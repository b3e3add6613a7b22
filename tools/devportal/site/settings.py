"""The settings of a project as MkDocs reads them under the plugin in `mkdocs.yml`, and the inputs that they name."""

from pathlib import Path
from typing import Any

from mkdocs.config import config_options as options
from mkdocs.config.base import BaseConfigOption, Config, ValidationError
from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import InvalidSettings
from devportal.project.audiences import choose_audience
from devportal.project.inputs import Inputs, today
from devportal.project.setting_kinds import (
    Choice,
    Flag,
    PluginNames,
    ProjectPath,
    SettingKind,
    SettingsFile,
    Text,
)
from devportal.project.settings import setting_kinds, setting_values
from devportal.project.site_url import refuse_invalid_site_url
from devportal.site.navigation import refuse_unknown_entries


class _CheckedOption(BaseConfigOption[Any]):
    """A setting whose kind says what is refused."""

    def __init__(self, kind: SettingKind) -> None:
        super().__init__()
        self.default = kind.default
        self._kind = kind

    def run_validation(self, value: Any) -> Any:
        try:
            return self._kind.check(value)
        except InvalidSettings as error:
            raise ValidationError(str(error)) from error


class _PathOption(options.Type[str]):
    """A path: text that is not an address."""

    def __init__(self, kind: ProjectPath) -> None:
        super().__init__(str, default=kind.default)
        self._kind = kind

    def run_validation(self, value: object) -> str:
        path = super().run_validation(value)
        try:
            self._kind.check(path)
        except InvalidSettings as error:
            raise ValidationError(str(error)) from error
        return path


def _option(kind: SettingKind) -> BaseConfigOption[Any]:
    match kind:
        case ProjectPath():
            return _PathOption(kind)
        case Choice():
            return options.Choice(kind.choices, default=kind.default)
        case PluginNames():
            return options.ListOfItems(options.Type(str), default=[*kind.default])
        case Text() | Flag():
            return options.Type(type(kind.default), default=kind.default)
        case _:
            return _CheckedOption(kind)


class MkDocsSettings(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves __init_subclass__ untyped
    """What may stand under the plugin."""

    _schema = tuple((name, _option(kind)) for name, kind in setting_kinds().items())


def read_project_inputs(
    config: MkDocsConfig,
    settings: MkDocsSettings,
    *,
    theme_language: str,
    comparisons: Path | None,
    audience: str | None,
) -> Inputs:
    """Return the inputs of a project: what its `mkdocs.yml` says, and its settings under the plugin.

    `theme_language` is the language of the theme as the project has chosen it. Comparisons of releases are kept
    in the folder `comparisons`, if there is one. Raises InvalidSettings for a `site_url` below which no page can
    lie, an audience that does not exist, or a name that `nav` does not have, and EnvironmentProblem for a plug-in
    that is not installed.
    """
    refuse_invalid_site_url(config.site_url or "", name="site_url")
    file = Path(config.config_file_path or "mkdocs.yml")
    root = file.parent if config.config_file_path else Path.cwd()
    values = setting_values(settings, SettingsFile(folder=root, name=file.name))
    inputs = Inputs(
        root=root.resolve(),
        docs=Path(config.docs_dir),
        theme_language=theme_language,
        site_url=config.site_url or "",
        title=config.site_name,
        description=config.site_description or "",
        today=today(),
        comparisons=comparisons,
        audience=choose_audience(values["audiences"], audience),
        **values,
    )
    refuse_unknown_entries(config.nav, inputs)
    return inputs


def settings_in_theme(inputs: Inputs) -> dict[str, Any]:
    """Return the settings that templates of the theme read, as YAML could hold them: lists for tuples."""
    values = {name: getattr(inputs, name) for name, kind in setting_kinds().items() if kind.in_theme}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
