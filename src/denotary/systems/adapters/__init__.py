"""Systems that do not speak the contract: each protocol with its declared decision rule.

``reconciliation`` (0.2 and 1.0-draft), ``fhir``, ``annif``, ``rasa``, ``gilda`` (over HTTP), ``template`` (a service
described in TOML) and ``inprocess`` (gilda, semantic-router and classifiers as Python objects). ``rules`` says how a
decision is read off a reply; ``asked`` is the one loop that all services share; ``spec`` reads ``KIND:URL#options``.
"""
