"""The reference of earlier releases beside the present one, and from each page the way to the others."""
