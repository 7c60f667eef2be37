"""denotary: may a system that decides what text means be trusted to act?"""

__version__ = "0.1.0"
