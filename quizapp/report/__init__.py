"""Turns facts into styled lines for screens, text and HTML. Knows the catalogue, and no screen."""
