"""Figures as inline SVG strings: no script, no colour without a shape or a number beside it.

One file a family; each function takes rows, series or gate results and returns a :class:`Figure`: the drawing, a
generated sentence of what it does not show, and the table behind it. ``svg`` holds the elements they are built of,
``scales`` the axes.
"""
