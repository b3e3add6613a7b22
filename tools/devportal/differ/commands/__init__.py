"""`devportal diff` and `devportal accept`: their options and inputs, and one run from start to end."""
