"""Writers of a result: terminal, JSON, JUnit. Each takes the result and nothing else."""
