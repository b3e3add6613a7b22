"""What is wrong with a contract: the OAS, its rules, values and examples, and what no page would show."""
