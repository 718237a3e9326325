"""Templates, the types that the source makes, and what `std` has of them."""
