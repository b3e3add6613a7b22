"""An OpenAPI file as a model."""
