"""The resolver over loopback HTTP against a bare ASGI application with the same lane in it.

Both run under uvicorn (uvloop, httptools) in processes of their own, and are asked the same requests over one
connection. Times are CPU seconds of the server processes, so what the client costs is not in them. The bare
application decodes, resolves and encodes with the same calls; it has no routes, limits, counts or errors. What remains
is the price of those.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _harness import Peer, compare, main

if TYPE_CHECKING:
    from collections.abc import Iterator

SINGLES = 5_000
BATCHES = 1_000
BATCH = 100
TEXT = {"text": "machine-readable representation", "language": "en", "record_id": "0123456789abcdef"}
BARE = """
import sys, msgspec, uvicorn
from denotary.resolver import ExactLane
lane = ExactLane("bundled:bootstrap")
decode, encode = msgspec.json.decode, msgspec.json.encode
async def app(scope, receive, send):
    body = b""
    while True:
        message = await receive()
        body += message["body"]
        if not message.get("more_body"):
            break
    asked = decode(body)
    if "items" in asked:
        answer = encode({"items": lane.resolve_batch(asked["items"])})
    else:
        answer = encode(lane.resolve(asked))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})
uvicorn.run(app, port=int(sys.argv[1]), access_log=False, log_level="error", lifespan="off")
"""


@contextmanager
def server(command: list[str], port: int) -> Iterator[int]:
    """Start a server, wait until it listens, yield its process id, and end it."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield process.pid
        process.terminate()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def cpu_seconds(*processes: int) -> float:
    """Return the CPU seconds that processes have used so far."""
    fields = (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes)
    return sum(int(found[11]) + int(found[12]) for found in fields) / os.sysconf("SC_CLK_TCK")


def ask(port: int, body: bytes, times: int) -> bytes:
    """Send a request so many times over one connection; return the last answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    answer = b""
    for _ in range(times):
        connection.request("POST", "/v1/resolve", body, {"content-type": "application/json"})
        answer = connection.getresponse().read()
    connection.close()
    return answer


def same(ours: bytes, name: str, theirs: bytes) -> None:
    """Check that both sent the same bytes."""
    assert ours == theirs, name


def one(name: str, request: dict[str, Any], times: int, goal: float) -> dict[str, Any]:
    """Compare the two servers on one request."""
    body = json.dumps(request).encode()
    port, bare = free_port(), free_port()
    resolver = [
        sys.executable,
        "-m",
        "denotary",
        "resolver",
        "serve",
        "bundled:bootstrap",
        "--port",
        str(port),
    ]
    with server(resolver, port) as ours, server([sys.executable, "-c", BARE, str(bare)], bare) as theirs:
        peer = Peer("uvicorn, bare ASGI", partial(ask, bare, body, times), goal=goal)
        clock = partial(cpu_seconds, ours, theirs)
        return compare(name, partial(ask, port, body, times), [peer], same, clock=clock)


def build() -> list[dict[str, Any]]:
    """Run both rows."""
    batch = {"items": [TEXT] * BATCH}
    return [
        one(f"resolver over HTTP, {SINGLES:,} single requests", TEXT, SINGLES, 1 / 2),
        one(f"resolver over HTTP, {BATCHES:,} batches of {BATCH}", batch, BATCHES, 1 / 1.5),
    ]


if __name__ == "__main__":
    main(build)
