"""``certify --sign`` and ``verify --key``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

Cli = Callable[..., Any]
ORDER = ("certify", "--suite", "conformance", "--system", "exact", "--policy", "registry-exact")


@pytest.fixture
def keys(folder: Path) -> Path:
    for name in ("key", "other"):
        key = Ed25519PrivateKey.generate()
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / f"{name}.pem").write_bytes(private)
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        (folder / f"{name}.pub.pem").write_bytes(public)
    return folder


def test_signing_and_checking(keys: Path, cli: Cli) -> None:
    del keys
    done = cli(*ORDER, "--out", "out", "--sign", "key.pem")
    assert done.code == 0
    assert done.out.endswith("\nsignature    out/certificate.dsse.json\n")
    verified = "verified: every figure was rebuilt from the raw run; "
    done = cli("verify", "out", "--key", "key.pub.pem")
    assert (done.code, done.out) == (0, f"{verified}signed with this key\n")
    done = cli("verify", "out")
    assert (done.code, done.out) == (0, f"{verified}signature: not checked\n")
    done = cli("verify", "out", "--key", "other.pub.pem")
    assert done.code == 1
    assert "certificate.dsse.json: is not signed with the key " in done.out
    assert done.out.endswith("NOT VERIFIED\n")


def test_without_a_signature(keys: Path, cli: Cli) -> None:
    del keys
    assert cli("verify", "promoted").out.endswith("; signature: none\n")
    done = cli("verify", "promoted", "--key", "key.pub.pem", "--json")
    assert done.code == 1
    assert json.loads(done.out) == {
        "verified": False,
        "differences": ["certificate.dsse.json: is missing, so nothing says who made the certificate"],
        "signature": "checked",
    }


@pytest.mark.parametrize("option", [("certify", "--sign", "pub.pem"), ("verify", "--key", "key.pem")])
def test_a_key_of_the_wrong_kind_is_a_usage_error(keys: Path, cli: Cli, option: tuple[str, ...]) -> None:
    (keys / "pub.pem").write_bytes((keys / "key.pub.pem").read_bytes())
    order = (*ORDER, "--out", "out") if option[0] == "certify" else ("verify", "promoted")
    done = cli(*order, *option[1:])
    assert done.code == 64
    assert "expected an ed25519 p" in done.err
    assert not (keys / "out").exists()
