"""The settings of a project as MkDocs reads them under the plugin in `mkdocs.yml`."""

from typing import Any

from mkdocs.config import config_options as options
from mkdocs.config.base import BaseConfigOption, Config, ValidationError

from devportal.errors import InvalidSettings
from devportal.project.setting_kinds import Choice, Flag, PluginNames, SettingKind, Text
from devportal.project.settings import setting_kinds


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


def _option(kind: SettingKind) -> BaseConfigOption[Any]:
    match kind:
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
