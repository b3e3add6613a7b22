"""Writers of a result: terminal, JSON, JUnit, SARIF, annotations, HTML."""
