"""Golden vectors for resolvers: what a request must be answered with, as data, runnable against any system.

:func:`~denotary.resolver.conformance.vectors.load_vectors` reads the shipped suite;
:func:`~denotary.resolver.conformance.running.run_conformance` asks a system every vector and compares, at three
levels: the decision, its reason, and the evidence beside it. ``templates`` says how an expectation is written.
"""
