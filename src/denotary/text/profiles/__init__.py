"""What one English text commits to, read from word lists alone, so that texts worded otherwise can be compared.

:func:`profile` gives how strongly a text speaks, of how many, what it leaves out, what it negates, its amounts, and
what comes first in it. :func:`profiles_hash` names the lists, which no reviewer has seen.
"""

from denotary.text.profiles.amounts import Amount
from denotary.text.profiles.lists import profiles_hash
from denotary.text.profiles.reading import Profile, profile

__all__ = ["Amount", "Profile", "profile", "profiles_hash"]
