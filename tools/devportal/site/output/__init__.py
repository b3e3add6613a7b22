"""Files of a site that no theme makes."""
