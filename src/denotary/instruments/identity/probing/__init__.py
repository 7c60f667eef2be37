"""What a system does before anybody scores it: small questions whose answers nobody needs a gold for.

``plan`` makes the probes of a registry as data, ``run`` asks them, ``findings`` reads what the answers show, and
``probe`` does all three. Findings are evidence: no gate reads them, and no certificate rests on them.
"""

from denotary.instruments.identity.probing.main import probe
from denotary.instruments.identity.probing.plan import plan
from denotary.instruments.identity.probing.records import Probe, Shown
from denotary.reports.probed import Finding, Probed

__all__ = ["Finding", "Probe", "Probed", "Shown", "plan", "probe"]
