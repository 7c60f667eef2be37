"""The command line: parse, call one function, print.

``main`` is the entry point. Every command lives in a module of its own that is imported when the command is called, so
that ``denotary --help`` stays instant. Exit codes are ``denotary.errors.ExitCode``; the click library's own code for a
usage error is mapped onto it.
"""

from denotary.cli.root import main

__all__ = ["main"]
