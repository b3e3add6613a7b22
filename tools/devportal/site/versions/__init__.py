"""The reference of earlier releases beside the present one, with links from each page to the others."""
