"""A signature over the certificate: made with a local key, checked with its public half, and nothing else passes."""

import base64
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, utils
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from denotary.certify import is_signed, judge, verify, write_documents
from denotary.certify.signing import Signer, load_public_key, pae
from denotary.errors import InputError
from denotary.measures import measure
from denotary.runs import load_run

PEM, PKCS8, OPEN = Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
"""Secret and public key of test 1 of RFC 8032, section 7.1."""


def test_what_is_signed_is_encoded_as_the_specification_shows() -> None:
    """Protocol 1.0.0, section "Test Vectors", and its definition of the length, which counts bytes."""
    encoded = pae("http://example.com/HelloWorld", b"hello world")
    assert encoded == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    assert pae("é", b"a b\n\x00") == "DSSEv1 2 é 5 a b\n\x00".encode()
    assert pae("", b"") == b"DSSEv1 0  0 "


def test_the_published_signature_holds_over_our_encoding_and_over_no_other() -> None:
    """Protocol 1.0.0, "Test Vectors": ECDSA over P-256 with SHA-256, r and s one after the other."""
    x = 46950820868899156662930047687818585632848591499744589407958293238635476079160
    y = 5640078356564379163099075877009565129882514886557779369047442380624545832820
    sig = "A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA=="
    raw = base64.b64decode(sig)
    signature = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    algorithm = ec.ECDSA(hashes.SHA256())
    key.verify(signature, pae("http://example.com/HelloWorld", b"hello world"), algorithm)
    with pytest.raises(InvalidSignature):
        key.verify(signature, pae("http://example.com/HelloWorld", b"hello world\n"), algorithm)


class Keys:
    """Files of one key."""

    def __init__(self, folder: Path, name: str, seed: bytes) -> None:
        key = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        self.private, self.public = folder / f"{name}.pem", folder / f"{name}.pub.pem"
        self.private.write_bytes(key.private_bytes(PEM, PKCS8, OPEN))
        self.public.write_bytes(key.public_key().public_bytes(PEM, PublicFormat.SubjectPublicKeyInfo))


@pytest.fixture
def ours(tmp_path: Path) -> Keys:
    return Keys(tmp_path, "ours", bytes.fromhex(SEED))


@pytest.fixture
def theirs(tmp_path: Path) -> Keys:
    return Keys(tmp_path, "theirs", b"\x01" * 32)


@pytest.fixture
def out(promoted: Any, tmp_path: Path) -> Path:
    for name in ("registry", "suite", "out"):
        shutil.copytree(promoted.root / name, tmp_path / name)
    return tmp_path / "out"


def sign(out: Path, keys: Keys) -> dict[str, Any]:
    write_documents(
        judge(measure(load_run(out / "run")), "registry-exact"), out, signer=Signer.load(keys.private)
    )
    content: dict[str, Any] = json.loads((out / "certificate.dsse.json").read_bytes())
    return content


def test_a_signed_certificate_is_verified_with_the_public_key(out: Path, ours: Keys, theirs: Keys) -> None:
    assert verify(out, key=ours.public) == [
        "certificate.dsse.json: is missing, so nothing says who made the certificate"
    ]
    envelope = sign(out, ours)
    assert is_signed(out)
    assert verify(out) == verify(out, key=ours.public) == []
    (told,) = verify(out, key=theirs.public)
    assert told.startswith("certificate.dsse.json: is not signed with the key ")
    assert envelope["payloadType"] == "application/vnd.in-toto+json"
    certificate = base64.b64decode(envelope["payload"])
    assert certificate == (out / "certificate.json").read_bytes()
    # An independent reader: the public key of RFC 8032, and the encoding written out.
    (signature,) = envelope["signatures"]
    signed = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(certificate), certificate)
    key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(PUBLIC))
    key.verify(base64.b64decode(signature["sig"]), signed)


def test_the_same_certificate_has_the_same_signature(out: Path, ours: Keys) -> None:
    assert sign(out, ours) == sign(out, ours)


def rewritten(out: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    path = out / "certificate.dsse.json"
    content = json.loads(path.read_bytes())
    change(content)
    path.write_text(json.dumps(content))


def respelled(text: str) -> str:
    return text.replace("+", "-").replace("/", "_")


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e["signatures"][0].pop("keyid"),
        lambda e: e["signatures"][0].update(keyid="another"),
        lambda e: e["signatures"][0].update(sig=respelled(e["signatures"][0]["sig"])),
        lambda e: e.update(payload=respelled(e["payload"])),
        lambda e: e["signatures"].insert(0, {"sig": "AAAA", "keyid": "other"}),
        lambda e: e["signatures"].insert(0, {"sig": "no base64"}),
        lambda e: e.update(more="of another maker"),
    ],
)
def test_envelopes_that_the_specification_allows_are_read(out: Path, ours: Keys, change: Any) -> None:
    sign(out, ours)
    rewritten(out, change)
    assert verify(out, key=ours.public) == []


SIGNED = "certificate.dsse.json: is not signed with the key"
OTHER = "certificate.dsse.json: does not hold this certificate"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda e: e.update(signatures=[]), SIGNED),
        (lambda e: e["signatures"][0].update(sig="AAAA"), SIGNED),
        (lambda e: e["signatures"][0].update(sig="no base64"), SIGNED),
        (lambda e: e.update(payload="e30="), OTHER),
        (lambda e: e.update(payload="no base64"), OTHER),
        (
            lambda e: e.update(payloadType="text/plain"),
            "certificate.dsse.json: its payload is not said to be",
        ),
        (lambda e: e.pop("payload"), "certificate.dsse.json: is no DSSE envelope"),
    ],
)
def test_envelopes_that_prove_nothing_are_found(out: Path, ours: Keys, change: Any, said: str) -> None:
    sign(out, ours)
    rewritten(out, change)
    assert any(line.startswith(said) for line in verify(out, key=ours.public))


def test_a_certificate_made_anew_from_other_replies_does_not_carry_the_signature(
    out: Path, ours: Keys
) -> None:
    """What nothing else can find: a folder made anew so that all of it fits together."""
    sign(out, ours)
    envelope = (out / "certificate.dsse.json").read_bytes()
    judged = judge(measure(load_run(out / "run")), "registry-exact", today="2031-02-01")
    write_documents(judged, out)
    assert not is_signed(out)
    assert verify(out) == []
    (out / "certificate.dsse.json").write_bytes(envelope)
    assert OTHER in verify(out)
    assert OTHER in verify(out, key=ours.public)


def test_a_signature_of_the_same_certificate_stays(out: Path, ours: Keys) -> None:
    sign(out, ours)
    write_documents(judge(measure(load_run(out / "run")), "registry-exact"), out)
    assert verify(out, key=ours.public) == []


def key_files(folder: Path) -> dict[str, bytes]:
    key = ed25519.Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    info = PublicFormat.SubjectPublicKeyInfo
    return {
        "encrypted": key.private_bytes(PEM, PKCS8, BestAvailableEncryption(b"secret")),
        "rsa": other.private_bytes(PEM, PKCS8, OPEN),
        "rsa public": other.public_key().public_bytes(PEM, info),
        "public": key.public_key().public_bytes(PEM, info),
        "private": key.private_bytes(PEM, PKCS8, OPEN),
        "empty": b"",
        "der": key.private_bytes(Encoding.DER, PKCS8, OPEN),
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("encrypted", "the private key is encrypted"),
        ("rsa", "expected an ed25519 private key, found another kind"),
        ("public", "expected an ed25519 private key in PEM"),
        ("empty", "expected an ed25519 private key in PEM"),
        ("der", "expected an ed25519 private key in PEM"),
    ],
)
def test_what_is_no_private_key_is_refused_with_what_to_do(tmp_path: Path, name: str, said: str) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(key_files(tmp_path)[name])
    with pytest.raises(InputError, match=rf"key\.pem: {said}\n  hint: "):
        Signer.load(path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rsa public", "expected an ed25519 public key, found another kind"),
        ("private", "expected an ed25519 public key in PEM"),
        ("empty", "expected an ed25519 public key in PEM"),
    ],
)
def test_what_is_no_public_key_is_refused_with_what_to_do(tmp_path: Path, name: str, said: str) -> None:
    path = tmp_path / "pub.pem"
    path.write_bytes(key_files(tmp_path)[name])
    with pytest.raises(InputError, match=rf"pub\.pem: {said}\n  hint: "):
        load_public_key(path)


def test_without_the_extra_it_is_named_before_anything_is_asked(
    suite: Any, tmp_path: Path, ours: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    from denotary import systems
    from denotary.certify import certify

    monkeypatch.setitem(sys.modules, "cryptography", None)
    for use in (
        lambda: certify(systems.exact(suite.registry), suite, "registry-exact", tmp_path / "x", sign=ours.private),
        lambda: load_public_key(ours.public),
    ):  # fmt: skip
        with pytest.raises(InputError, match=r"cryptography, which is not installed\n  hint: pip install"):
            use()
    assert not (tmp_path / "x").exists()


def test_certify_signs(suite: Any, tmp_path: Path, ours: Keys) -> None:
    from denotary import systems
    from denotary.certify import certify

    certify(systems.exact(suite.registry), suite, "registry-exact", tmp_path / "x", sign=ours.private)
    assert verify(tmp_path / "x", key=str(ours.public)) == []
