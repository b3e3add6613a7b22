"""The pages of a portal as plain files for another engine, and `devportal generate`, which writes them."""
