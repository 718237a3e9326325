"""What the subcommands share: how they are declared, what they ask, how they print."""
