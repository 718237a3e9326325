"""The screen with an attempt, in parts: what is written, what is submitted, what is stored."""
