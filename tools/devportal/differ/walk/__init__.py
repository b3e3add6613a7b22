"""The walk over two contracts, part by part."""
