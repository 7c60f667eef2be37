"""``python -m denotary`` is the command line."""

from denotary.cli import main

main()
