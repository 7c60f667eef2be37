"""The command tree, resolved late, and the one place where an error becomes an exit code."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from denotary import __version__
from denotary.errors import DenotaryError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

STDOUT, STDERR = 1, 2
INTERRUPTED = 130
"""What a shell expects of a program that was ended with Ctrl-C."""
READER_GONE = 141
"""What a shell expects of a program whose reader (head, less) went away: 128 and the number of SIGPIPE."""


class ReaderGoneError(Exception):
    """Whoever read the output went away; click would leave with 1, as if the verdict were BLOCK."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called; their one-line help stands here."""

    def __init__(self, *, lazy: Mapping[str, tuple[str, str]], name: str, about: str) -> None:
        super().__init__(name=name, help=about)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which the help prints them."""
        del ctx
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        del ctx
        if cmd_name not in self.lazy:
            return None
        module, attribute = self.lazy[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f"denotary.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; click looks for what was meant among its own list alone, which is empty here."""
        from denotary.errors import did_you_mean

        name = args[0]
        if name not in self.lazy and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"No such command {name!r}: {did_you_mean(name, self.lazy)}")
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the arguments; --help and --version print here already."""
        with _reader():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _reader():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.lazy.items()])


@contextmanager
def _reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGoneError from error


COMMANDS = {
    "demo": ("demo:demo", "Certify the reference exact lane on the bundled suite."),
    "certify": ("certify:certify", "Ask a system, measure, judge, and write report and certificate."),
    "registry": ("registry:registry", "Begin, import, check, freeze, compare and compile a registry."),
    "resolver": ("resolver:resolver", "Resolve texts, serve the reference resolver, fit its semantic lane."),
    "conformance": ("conformance:conformance", "Golden vectors, run against any resolver."),
    "suite": ("suite:suite", "Check, freeze, compare, correct and show a suite."),
    "similarity": ("similarity:similarity", "Find and audit gates that compare texts by a score."),
    "text": ("text:text", "Make variants of texts."),
    "encoders": ("encoders:encoders", "List the encoders that turn texts into vectors."),
    "policy": ("policy:policy", "Check a policy of your own."),
    "plan": ("plan:plan", "How many cases each claim of a policy needs."),
    "probe": ("probe:probe", "Show what a system does: nonsense, long texts, languages, silent folds."),
    "ask": ("ask:ask", "Ask a system every case of a suite; resumable."),
    "measure": ("evidence:measure", "Turn a run into rows: counts, intervals, bounds."),
    "judge": ("evidence:judge", "Judge the rows of a run by a policy."),
    "compare": ("compare:compare", "Compare a release with the version before it, case by case."),
    "report": ("evidence:report", "Write the HTML report of a run."),
    "verify": ("evidence:verify", "Rebuild every figure of a certificate from the raw run."),
    "triage": ("triage:triage", "Name the root cause of every failed case of a run."),
    "completion": ("completion:completion", "Print the shell completion script."),
}

ABOUT = """Say, with evidence that survives an audit, whether a system that decides what text means may be trusted.

Exit codes: 0 promote, 1 block, 2 insufficient evidence, 64 usage, 69 system unreachable, 70 internal.
"""

root = LazyGroup(name="denotary", lazy=COMMANDS, about=ABOUT)
root = click.version_option(__version__, prog_name="denotary")(root)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with the exit code of the verdict."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; a user's mistake never shows a traceback."""
    try:
        code = root.main(args=arguments, prog_name="denotary", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("DENOTARY_DEBUG"):
            raise
        try:
            return _explain(error)
        except BrokenPipeError:
            return _unread()
    return code if isinstance(code, int) else ExitCode.PROMOTE


def _explain(error: BaseException) -> int:
    """Print an error for people and return its exit code."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message())
            return ExitCode.USAGE
        case click.ClickException():
            error.show()
            return ExitCode.USAGE
        case _ if (interrupt := _interrupt(error)) is not None:
            click.echo(str(interrupt) or "interrupted", err=True)
            return INTERRUPTED
        case ReaderGoneError():
            return _unread()
        case DenotaryError():
            click.echo(f"error: {error}", err=True)
            return error.exit_code
        case OSError(filename=name, strerror=why) if name is not None:
            click.echo(f"error: {name}: {why}", err=True)
        case OSError(errno=errno.ENOSPC | errno.EIO, strerror=why):
            click.echo(f"error: the output could not be written: {why}", err=True)
        case _:
            # The message of an unknown error may quote a case's text, so only its kind is shown.
            click.echo(f"internal error: {type(error).__name__}; set DENOTARY_DEBUG=1 to see where", err=True)
    return ExitCode.INTERNAL


def _unread() -> int:
    """Return the exit code where nothing more can be printed, and let the flush at exit succeed."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (STDOUT, STDERR):
        os.dup2(nowhere, stream)
    return READER_GONE


def _interrupt(error: BaseException | None) -> BaseException | None:
    """Return the Ctrl-C behind an error, if that is what it is: click and the import of a module wrap it in others."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error
