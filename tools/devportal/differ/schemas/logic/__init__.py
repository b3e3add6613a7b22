"""Schemas as formulas of logic, and proofs that one schema allows everything that another does."""
