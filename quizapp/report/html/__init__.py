"""Reports as HTML: one file each, without scripts and without a network, light and dark."""
