"""The command line, from the command tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denotary.cli.root import root
from denotary.errors import ExitCode
from reference_pages.markdown import attribute_docs, code, prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator

INTRO = """# Command line

`denotary --help` and `denotary COMMAND --help` print the same. `denotary completion bash` (or `zsh`, `fish`) prints a
completion script.

## Exit codes
"""

AFTER = """
130 means that Ctrl-C ended the command; a run that was stopped so is resumed by the same command. 141
means that the reader of the output (`| head`) went away; nothing more is printed then.

`--json` prints one JSON document on standard output and nothing else there. Progress goes to standard error: a bar on a
terminal, else a line each tenth of the way. With the environment variable `DENOTARY_DEBUG=1` an error shows its
traceback, which may quote texts of cases.

## Commands
"""


def page() -> str:
    """Return the page."""
    docs = attribute_docs(ExitCode)
    exits = table(
        ("code", "name", "meaning"), [(int(item), code(item.name), docs[item.name]) for item in ExitCode]
    )
    context = click.Context(root, info_name="denotary")
    return INTRO + "\n" + exits + AFTER + "\n" + "\n".join(_commands(root, context))


def _commands(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            raise RuntimeError(f"the tree lists {name} and does not hold it")
        inner = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            yield from _commands(command, inner)
        else:
            yield _command(command, inner)


def _command(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    rows = [_option(item) for item in command.params if isinstance(item, click.Option)]
    options = table(("option", "value", "default", "meaning"), rows) if rows else ""
    return f"### {context.command_path}\n\n    {usage}\n\n{prose(command.help or '')}\n\n{options}"


def _option(option: click.Option) -> tuple[str, str, str, str]:
    names = ", ".join(map(code, sorted(option.opts, key=len, reverse=True)))
    return names, _value(option), _default(option), option.help or ""


def _value(option: click.Option) -> str:
    kind = option.type
    if option.is_flag:
        return ""
    if isinstance(kind, click.Choice):
        return ", ".join(map(code, kind.choices))
    if isinstance(kind, click.Path):
        return "folder" if not kind.file_okay else "file" if not kind.dir_okay else "path"
    return "number" if kind.name.startswith(("integer", "float")) else kind.name


def _default(option: click.Option) -> str:
    if option.required:
        return "required"
    value: Any = option.default
    return "" if option.is_flag or not isinstance(value, (str, int, float, Path)) else code(value)
