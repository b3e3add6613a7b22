"""The pages of the reference: what each shows, and what happens if it is too much for one."""
