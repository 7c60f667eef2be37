"""Running the application until the process is told to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denotary.errors import InputError

if TYPE_CHECKING:
    from denotary.resolver.web.served import Served


def serve(served: Served, *, host: str = "127.0.0.1", port: int = 8080, quiet: bool = False) -> None:
    """Answer until SIGTERM or SIGINT; requests in work then have the time that the limits give them.

    Args:
        served: what is served.
        host: address to listen on.
        port: port; 0 for any that is free, which the log names.
        quiet: log errors alone.

    Raises:
        InputError: the extra ``serve`` is not installed, or the address cannot be listened on.
    """
    try:
        import uvicorn

        from denotary.resolver.web.app import application
        from denotary.resolver.web.heads import waiting
    except ModuleNotFoundError as error:
        raise InputError(
            f"serving needs the package {error.name}", hint="install it: pip install 'denotary[serve]'"
        ) from error
    config = uvicorn.Config(
        application(served),
        host=host,
        port=port,
        http=waiting(served.limits.read),
        log_level="error" if quiet else "info",
        # An access log would hold addresses and, in GET requests, texts.
        access_log=False,
        server_header=False,
        limit_concurrency=served.limits.connections,
        timeout_graceful_shutdown=round(served.limits.grace),
    )
    try:
        uvicorn.Server(config).run()
    except SystemExit:
        raise InputError(f"cannot listen on {host}:{port}", hint="choose another port with --port") from None
