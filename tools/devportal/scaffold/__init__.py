"""A new portal around a contract: the files to begin with, and `devportal init`, which writes them."""
