"""Where the files for other programs lie: at the root of the site, where people look for them."""

OPENAPI_YAML = "openapi.yaml"
OPENAPI_JSON = "openapi.json"
POSTMAN = "postman_collection.json"
LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"

DOWNLOADS = (
    ("OpenAPI (YAML)", OPENAPI_YAML),
    ("OpenAPI (JSON)", OPENAPI_JSON),
    ("Postman collection", POSTMAN),
    ("llms.txt", LLMS),
)
"""What the overview offers: label and uri."""
