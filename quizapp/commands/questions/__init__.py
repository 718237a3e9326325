"""Commands about questions and packs."""
