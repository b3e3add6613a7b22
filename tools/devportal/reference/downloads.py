"""Where the files for other programs lie: where people and programs look for them, mostly at the root."""

OPENAPI_YAML = "openapi.yaml"
OPENAPI_JSON = "openapi.json"
POSTMAN = "postman_collection.json"
API_CATALOG = ".well-known/api-catalog"
LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"

Downloads = tuple[tuple[str, str], ...]
"""What the overview offers: label and uri."""
DOWNLOADS: Downloads = (
    ("OpenAPI (YAML)", OPENAPI_YAML),
    ("OpenAPI (JSON)", OPENAPI_JSON),
    ("Postman collection", POSTMAN),
    ("llms.txt", LLMS),
)
"""Those of the present contract."""
