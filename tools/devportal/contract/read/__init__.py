"""From documents to the model: files, references, nodes."""
