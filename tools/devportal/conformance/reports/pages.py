"""Where the documentation of a check is: on one page of all, below the portal's address where it is known."""

PAGE = "conformance/checks/"


def check_anchor(check: str) -> str:
    """Return the anchor of what that page says of a check."""
    return check.replace("_", "-")


def check_page(site: str, check: str) -> str:
    """Return the address of what is said of a check: below `site`, or beginning at the root where it is
    empty.
    """
    return f"{site.rstrip('/')}/{PAGE}#{check_anchor(check)}"
