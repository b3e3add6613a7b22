"""What operators watch: health, metrics and the log of requests."""
