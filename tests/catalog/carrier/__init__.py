"""A second trade: a carrier who prices letters, parcels and pallets by zone and weight."""
