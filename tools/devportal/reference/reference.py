"""What every part of the reference is made from: the contract, the addresses of its pages, and the settings.

Whatever renders a part takes this one value, so every setting is at hand where it is used.
"""

from dataclasses import dataclass, field

from devportal.contract import Api
from devportal.project.settings import Settings
from devportal.reference.addresses import Addresses, addresses_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A contract, the addresses of its pages, and the settings of the project."""

    api: Api = field(repr=False)
    addresses: Addresses = field(repr=False)
    settings: Settings


def reference_of(api: Api, settings: Settings = Settings(), *, folder: str = "") -> Reference:
    """Return the reference of a contract, its overview where the settings say, and so its pages, unless they are
    below another `folder`.
    """
    addresses = addresses_of(
        api,
        folder=folder or settings.reference_folder,
        overview=settings.overview,
        shared=settings.portal_api.shared_schemas if settings.portal_api is not None else (),
    )
    return Reference(api=api, addresses=addresses, settings=settings)
