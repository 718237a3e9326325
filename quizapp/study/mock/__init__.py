"""Mock interviews and the placement: sessions that are no reviews."""
