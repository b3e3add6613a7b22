"""What a reader sees: the built site in headless Chromium."""
