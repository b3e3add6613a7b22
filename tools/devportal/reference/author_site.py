"""The site that the author of a contract wrote relative links for."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from devportal.contract import Api
from devportal.project.setting_kinds import FROM_CONTRACT
from devportal.project.site_url import is_web_address


def author_site(api: Api, contract_links: str) -> str:
    """Return the address that these links follow, by the setting; empty if they lead into the portal.

    A contract names a site if those of documentation, contact and terms of service that it has are on one.
    """
    if contract_links != FROM_CONTRACT:
        return contract_links
    sites = {*_named_sites(api)}
    return sites.pop() if len(sites) == 1 else ""


def _named_sites(api: Api) -> Iterator[str]:
    documentation = api.external_docs.url if api.external_docs is not None else ""
    for address in (documentation, dict(api.contact).get("url", ""), api.terms_of_service):
        if is_web_address(address):
            split = urlsplit(address)
            yield f"{split.scheme}://{split.netloc}".lower()
