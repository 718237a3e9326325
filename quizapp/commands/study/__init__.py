"""Commands that ask, plan, and say what is due."""
