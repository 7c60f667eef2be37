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


def element(tag: str, content: str | Markup = "", **attributes: str | float) -> Markup:
    """Return one element. A trailing underscore of an attribute's name is dropped, others become hyphens."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()
    )
    inside = content if isinstance(content, Markup) else markup(content)
    return Markup(f"<{tag}{written}/>" if not inside else f"<{tag}{written}>{inside}</{tag}>")  # noqa: S704 - both parts escaped above


def _value(value: str | float) -> Markup:
    return markup(place(value) if isinstance(value, float) else value)


def join(parts: Iterable[Markup]) -> Markup:
    """Return elements one after the other."""
    return Markup("").join(parts)


def drawing(name: str, title: str, described: str, height: float, parts: Sequence[Markup], width: float = WIDTH) -> Markup:
    """Return the outer element, named and described for those who do not see it."""
    head = element("title", title, id=f"{name}-t") + element("desc", described, id=f"{name}-d")
    return element(
        "svg",
        head + join(parts),
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_labelledby=f"{name}-t {name}-d",
    )


def text(x: float, y: float, content: str, cls: str = "", anchor: str = "") -> Markup:
    """Return a piece of text with its base line at y."""
    attributes: dict[str, str | float] = {"x": float(x), "y": float(y)}
    if cls:
        attributes["class_"] = cls
    if anchor:
        attributes["text_anchor"] = anchor
    return element("text", content, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, cls: str) -> Markup:
    """Return a straight line."""
    end = f"H{place(x2)}" if y1 == y2 else f"V{place(y2)}" if x1 == x2 else f"L{place(x2)} {place(y2)}"
    return path(f"M{place(x1)} {place(y1)}{end}", cls)


def place(value: float) -> str:
    """Return a coordinate, to a tenth."""
    return f"{value:.1f}".removesuffix(".0")


def rect(x: float, y: float, width: float, height: float, cls: str, title: str = "") -> Markup:
    """Return a rectangle; ``title`` is shown on hover and repeated nowhere."""
    inside = element("title", title) if title else Markup("")
    return element(
        "rect", inside, x=float(x), y=float(y), width=float(width), height=float(height), class_=cls
    )


def dot(x: float, y: float, radius: float, cls: str) -> Markup:
    """Return a circle."""
    return element("circle", cx=float(x), cy=float(y), r=float(radius), class_=cls)


def path(commands: str, cls: str) -> Markup:
    """Return a path."""
    return element("path", d=commands, class_=cls)


def icon(name: str, x: float, y: float, size: float = 14) -> Markup:
    """Return one of the page's shapes, centred at (x, y). See ``templates/icons.svg``."""
    return element(
        "use",
        href=f"#i-{name}",
        x=float(x - size / 2),
        y=float(y - size / 2),
        width=float(size),
        height=float(size),
        class_=f"v-{name}",
    )


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return name to label: the part after the last dot where it tells the names apart, else the whole name."""
    tails = [name.rpartition(".")[2] for name in names]
    return {name: tail if tail and tails.count(tail) == 1 else name for name, tail in zip(names, tails, strict=True)}


def fit(label: str, characters: int) -> str:
    """Return a label cut in its middle to at most so many characters; both ends tell labels apart."""
    if len(label) <= characters:
        return label
    tail = (characters - 1) // 2
    return f"{label[: characters - 1 - tail]}…{label[len(label) - tail :]}"
