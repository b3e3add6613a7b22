"""What a site publishes of a contract: its bundle, the parts that show a schema, and the sources that it names."""
