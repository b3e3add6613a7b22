"""What is known of an API: its resources, valid requests and values for them."""
