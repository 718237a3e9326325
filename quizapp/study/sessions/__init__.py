"""Questions asked one after the other: the queue, what an answer stores, and taking it back."""
