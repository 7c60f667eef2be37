"""Gates of other libraries, run as they ship: the real component at its installed default, with an encoder of ours.

The cutoff of each is read from the installed component, never from documentation. Which library and version was
asked stands in every record.
"""

from denotary.instruments.similarity.shipped.auditing import audit_gate
from denotary.instruments.similarity.shipped.component import Component, Decision
from denotary.instruments.similarity.shipped.opening import KNOWN, installed_gates, open_gate

__all__ = ["KNOWN", "Component", "Decision", "audit_gate", "installed_gates", "open_gate"]
