"""Connected components by union-find: what is tied together by a chain of shared labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


class Forest:
    """A partition of 0 … size - 1 that grows coarser. The root of a component is its smallest member."""

    def __init__(self, size: int) -> None:
        self._root = list(range(size))
        self._first: dict[Hashable, int] = {}

    def tie(self, index: int, labels: Iterable[Hashable]) -> None:
        """Put a member into the component of every member that carried one of these labels."""
        for label in labels:
            self.join(index, self._first.setdefault(label, index))

    def join(self, left: int, right: int) -> None:
        """Make one component of those of two members."""
        left, right = self._find(left), self._find(right)
        if left < right:
            self._root[right] = left
        elif right < left:
            self._root[left] = right

    def roots(self) -> list[int]:
        """Return the root of every member."""
        # Roots are the smallest index of their component, so one pass from the left resolves every chain.
        for index, parent in enumerate(self._root):
            self._root[index] = self._root[parent]
        return list(self._root)

    def _find(self, index: int) -> int:
        root = self._root
        while root[index] != index:
            root[index] = root[root[index]]
            index = root[index]
        return index
