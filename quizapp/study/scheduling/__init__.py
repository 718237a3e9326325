"""What is asked of a person and when: the deck as they set it, their cards, plan, and day."""
