"""What a contract keeps internal, found and taken out before anything is published."""
