"""Values of requests and responses as they are sent: parameters, forms, JSON and XML."""
