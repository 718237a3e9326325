"""The types and values of C++, as lowering knows them."""
