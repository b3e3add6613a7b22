"""The resource types of an API, found in its paths: their operations, identifiers, lists and members."""

from devportal.contract.resources.find import (
    CHANGE_METHODS,
    Resource,
    find_resources,
    nested_creation,
    with_nested_collection,
)
from devportal.contract.resources.identifiers import (
    HAL_LINKS,
    LINK_PREFIX,
    METADATA_NAMES,
    RESOURCE_NAMES,
    id_in_resource_name,
    resource_name_member,
)
from devportal.contract.resources.listings import (
    PAGE_SIZE,
    Listing,
    find_listings,
    has_page_parameter,
    listing_in,
    listing_of,
)
from devportal.contract.resources.object_properties import (
    JSON_API_MEMBERS,
    inner_schema,
    item_properties,
    object_properties,
    unwrapped_schema,
)

__all__ = [
    "CHANGE_METHODS",
    "HAL_LINKS",
    "JSON_API_MEMBERS",
    "LINK_PREFIX",
    "METADATA_NAMES",
    "PAGE_SIZE",
    "RESOURCE_NAMES",
    "Listing",
    "Resource",
    "find_listings",
    "find_resources",
    "has_page_parameter",
    "id_in_resource_name",
    "inner_schema",
    "item_properties",
    "listing_in",
    "listing_of",
    "nested_creation",
    "object_properties",
    "resource_name_member",
    "unwrapped_schema",
    "with_nested_collection",
]
