"""Elements of a drawing. Text and attributes are made visible and escaped here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from denotary.reports.safe import markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 720
"""Width of every drawing, in its own units; a unit is about a CSS pixel on a wide screen."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with what must stand beside it.

    Attributes:
        id: unique on the page, ASCII letters, digits and hyphens.
        title: what is drawn.
        svg: the drawing.
        hides: what it does not show, one or two sentences.
        head: column headings of the table behind it.
        rows: cells of that table, as text.
        key: (class of the mark, meaning) for the legend.
    """

    id: str
    title: str
    svg: Markup
    hides: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    key: tuple[tuple[str, str], ...] = ()


ORDER = (
    *(
        "cell",
        "gap",
        "grid",
        "rule",
        "diagonal",
        "limit-line",
        "point-line",
        "limit",
        "bar",
        "bar short",
        "floor",
    ),
    *("edge", "edge untested", "curve-bound", "curve", "ci", "bound", "point-range"),
    *("dot-ground", "dot", "dot hollow", "dot-inside"),
)
"""Classes of paths from the ground up. Other elements lie above these, and paths of other classes above both."""


class Canvas:
    """Collects a drawing: paths by class, then icons by shape, other elements as they came, texts by class and anchor.

    Each class is written once, which makes a drawing of many marks a third as large.
    """

    def __init__(self) -> None:
        self._paths: dict[str, list[str]] = {}
        self._icons: dict[tuple[str, float], list[Markup]] = {}
        self._elements: list[Markup] = []
        self._texts: dict[tuple[str, str], list[Markup]] = {}

    def path(self, commands: str, cls: str) -> None:
        """Add to the path of a class."""
        self._paths.setdefault(cls, []).append(commands)

    def line(self, x1: float, y1: float, x2: float, y2: float, cls: str) -> None:
        """Add a straight line."""
        end = f"H{place(x2)}" if y1 == y2 else f"V{place(y2)}" if x1 == x2 else f"L{place(x2)} {place(y2)}"
        self.path(f"M{place(x1)} {place(y1)}{end}", cls)

    def rect(self, x: float, y: float, width: float, height: float, cls: str) -> None:
        """Add a filled rectangle."""
        self.path(f"M{place(x)} {place(y)}h{place(width)}v{place(height)}h{place(-width)}z", cls)

    def dot(self, x: float, y: float, *, hollow: bool = False) -> None:
        """Add a round mark: a line without length and with round ends."""
        at = f"M{place(x)} {place(y)}h0"
        for cls in ("dot hollow", "dot-inside") if hollow else ("dot-ground", "dot"):
            self.path(at, cls)

    def text(self, x: float, y: float, content: str, cls: str = "label", anchor: str = "start") -> None:
        """Add a piece of text with its base line at y."""
        self._texts.setdefault((cls, anchor), []).append(element("text", content, x=float(x), y=float(y)))

    def upright(self, x: float, y: float, content: str, cls: str = "tick", anchor: str = "start") -> None:
        """Add a piece of text that reads upwards from (x, y)."""
        turned = f"translate({place(x)} {place(y)}) rotate(-90)"
        self._texts.setdefault((cls, anchor), []).append(element("text", content, transform=turned))

    def icon(self, name: str, x: float, y: float, size: float = 14) -> None:
        """Add one of the page's shapes, centred at (x, y). See ``templates/icons.svg``."""
        side = float(size)
        self._icons.setdefault((name, side), []).append(
            element("use", href=f"#i-{name}", x=x - side / 2, y=y - side / 2, width=side, height=side)
        )

    def add(self, part: Markup) -> None:
        """Add an element above all paths."""
        self._elements.append(part)

    def drawing(self, name: str, title: str, described: str, height: float) -> Markup:
        """Return the outer element, named and described for those who do not see it."""
        ground = [self._path(cls) for cls in ORDER if cls in self._paths]
        above = [self._path(cls) for cls in self._paths if cls not in ORDER]
        icons = [element("g", join(icons), class_=f"v-{name}") for (name, _), icons in self._icons.items()]
        texts = [
            element("g", join(texts), class_=cls, **({} if anchor == "start" else {"text_anchor": anchor}))
            for (cls, anchor), texts in self._texts.items()
        ]
        head = [element("title", title, id=f"{name}-t"), element("desc", described, id=f"{name}-d")]
        return element(
            "svg",
            join([*head, *ground, *icons, *self._elements, *above, *texts]),
            viewBox=f"0 0 {WIDTH:g} {height:g}",
            role="img",
            aria_labelledby=f"{name}-t {name}-d",
        )

    def _path(self, cls: str) -> Markup:
        return element("path", d="".join(self._paths[cls]), class_=cls)


def element(tag: str, content: str | Markup = "", **attributes: str | float) -> Markup:
    """Return one element. A trailing underscore of an attribute's name is dropped, others become hyphens."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()
    )
    inside = content if isinstance(content, Markup) else markup(content)
    return Markup(f"<{tag}{written}/>" if not inside else f"<{tag}{written}>{inside}</{tag}>")  # noqa: S704 - both parts escaped above


def _value(value: str | float) -> Markup:
    return markup(place(value) if isinstance(value, float) else value)


def place(value: float) -> str:
    """Return a coordinate, to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def join(parts: Iterable[Markup]) -> Markup:
    """Return elements one after the other."""
    return Markup("").join(parts)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return name to label: the part after the last dot where it tells the names apart, else the whole name."""
    tails = [name.rpartition(".")[2] for name in names]
    return {
        name: tail if tail and tails.count(tail) == 1 else name
        for name, tail in zip(names, tails, strict=True)
    }
