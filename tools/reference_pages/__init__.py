"""One module a reference page: ``cli``, ``files``, ``identity``, ``measures``, ``operators``, ``policies``, ``python``.

``markdown`` holds what they share: tables, and the docstrings of a class's attributes.
"""
