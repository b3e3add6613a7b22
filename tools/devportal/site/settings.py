"""The settings of the plugin in `mkdocs.yml`: paths are relative to it, an empty one turns a part off."""

from mkdocs.config import config_options as options
from mkdocs.config.base import Config


class Settings(Config):  # type: ignore[no-untyped-call]  # MkDocs leaves __init_subclass__ untyped
    """What a portal is made from."""

    contract = options.Type(str, default="openapi/openapi.yaml")
    """The OpenAPI file."""
    allow_outside_references = options.Type(bool, default=False)
    """Whether the contract may refer to files outside its folder."""
    overview = options.Type(str, default="reference/index.md")
    """The uri of the page of the whole contract; `index.md` makes it the home page."""
    name_from_contract = options.Type(bool, default=False)
    """Whether the site is called as the contract is, whatever `site_name` says."""
    records = options.Type(str, default="")
    """The folder of rate and coverage records with its audit log."""
    sources = options.Type(str, default="")
    """The page, below the folder of the pages, that the contract's `x-source` marks name places on."""
    decisions = options.Type(str, default="")
    """Where the record of each `x-decision` is, below the folder of the pages: `decisions/{number}-*.md`."""
    redirects = options.Type(str, default="")
    """What was renamed or moved: a file; by default `redirects.yaml` beside the contract, if there is one."""
    changelog = options.Type(str, default="")
    """The folder of changelog entries."""
    releases = options.Type(str, default="")
    """The folder of published contracts; by default `releases` beside the contract, if there is one."""
    results = options.Type(str, default="")
    """The folder of JSON reports of conformance runs."""
    policy = options.Type(str, default="")
    """How the differ judges what the rules leave open: a file, see `devportal diff --policy`."""
    feed = options.Type(bool, default=True)
    """Whether the changelog and the rates have feeds; without them no file, link or announcement is left."""
    feed_authority = options.Type(str, default="")
    """The domain in the permanent ids of feed items (RFC 4151), by default the host of `site_url`.

    Another one makes every reader announce all items anew: set it before the site moves to another host.
    """
    rate_history = options.Type(bool, default=True)
    """Whether pages show the rate and coverage versions that a public version has replaced."""
    segment_counter = options.Type(str, default="")
    """The uri, below the site, of an ES module that counts the segments of a text, for cost estimates."""
