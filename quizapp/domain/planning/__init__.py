"""What a person will recall, and how a plan studies. Arrays of cards, no event."""
