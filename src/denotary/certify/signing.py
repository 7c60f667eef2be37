"""Signing a certificate with a local ed25519 key, and checking whose signature stands there: a DSSE envelope.

The format is that of the specification at https://github.com/secure-systems-lab/dsse (protocol and envelope, version
1.0.0); the signature algorithm is Ed25519 of RFC 8032, which gives the same signature each time.
"""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Self

import msgspec

from denotary.canonical import canonical_json
from denotary.certify.writing import CERTIFICATE, envelope_of
from denotary.errors import InputError
from denotary.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"


class Signature(msgspec.Struct, frozen=True, omit_defaults=True):
    """One signature of an envelope. A reader of DSSE passes over fields that it does not know."""

    sig: str
    """Base64."""
    keyid: str = ""
    """SHA-256 of the public key (DER, SubjectPublicKeyInfo): a hint that nothing vouches for."""


class Envelope(msgspec.Struct, frozen=True, rename="camel"):
    """``certificate.dsse.json``: the certificate's bytes and who signed them."""

    payload: str
    """Base64."""
    payload_type: str
    signatures: tuple[Signature, ...]

    def body(self) -> bytes | None:
        """Return the signed bytes; None if they are no base64."""
        return _decoded(self.payload)


def pae(payload_type: str, body: bytes) -> bytes:
    """Return what is signed: DSSE's pre-authentication encoding of a payload and its type."""
    kind = payload_type.encode()
    return b" ".join((b"DSSEv1", str(len(kind)).encode(), kind, str(len(body)).encode(), body))


class Signer:
    """Signs with a private key; made by :meth:`load`."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a private key.

        Args:
            path: PEM file (PKCS#8), not encrypted.

        Raises:
            InputError: it holds no such key, or the package for signing is not installed.
        """
        _need_library()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = load_pem_private_key(read_bytes(path), password=None)
        except TypeError as error:
            raise InputError(
                "the private key is encrypted", path=path, hint="give a key without a passphrase"
            ) from error
        except (ValueError, UnsupportedAlgorithm) as error:
            raise InputError("expected an ed25519 private key in PEM", path=path, hint=MAKE) from error
        if not isinstance(key, Ed25519PrivateKey):
            raise InputError("expected an ed25519 private key, found another kind", path=path, hint=MAKE)
        return cls(key)

    def envelope(self, certificate: bytes) -> bytes:
        """Return the envelope of a certificate as the bytes of its file."""
        signature = Signature(
            sig=_encoded(self._key.sign(pae(PAYLOAD_TYPE, certificate))), keyid=key_id(self._key.public_key())
        )
        envelope = Envelope(payload=_encoded(certificate), payload_type=PAYLOAD_TYPE, signatures=(signature,))
        return canonical_json(envelope) + b"\n"


MAKE: Final = "openssl genpkey -algorithm ed25519 -out key.pem; openssl pkey -in key.pem -pubout -out pub.pem"


def load_public_key(path: Path) -> Ed25519PublicKey:
    """Read a public key.

    Args:
        path: PEM file.

    Raises:
        InputError: it holds no such key, or the package for signing is not installed.
    """
    _need_library()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(read_bytes(path))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError("expected an ed25519 public key in PEM", path=path, hint=MAKE) from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("expected an ed25519 public key, found another kind", path=path, hint=MAKE)
    return key


def key_id(key: Ed25519PublicKey) -> str:
    """Return the name of a public key: SHA-256 over its DER form."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()


def signature_differences(
    out: Path, key: Ed25519PublicKey | None, signed: str = CERTIFICATE
) -> Iterator[str]:
    """Yield what is wrong with the signature of a certificate.

    Args:
        out: the folder that ``certify`` or ``compare`` wrote.
        key: whose signature must be there; None to check only that an envelope, if there is one, holds this
            certificate.
        signed: name of the certificate's file, or of the statement on a comparison.
    """
    name = envelope_of(signed)
    what = "certificate" if signed == CERTIFICATE else "statement"
    path = out / name
    if not path.is_file():
        if key is not None:
            yield f"{name}: is missing, so nothing says who made the {what}"
        return
    try:
        envelope = msgspec.json.decode(read_bytes(path), type=Envelope)
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield f"{name}: is no DSSE envelope"
        return
    if envelope.payload_type != PAYLOAD_TYPE:
        yield f"{name}: its payload is not said to be {PAYLOAD_TYPE}"
    body = envelope.body()
    if body != read_bytes(out / signed):
        yield f"{name}: does not hold this {what}"
    if key is not None and not (body is not None and _is_signed(envelope, body, key)):
        yield f"{name}: is not signed with the key {key_id(key)}"


def _is_signed(envelope: Envelope, body: bytes, key: Ed25519PublicKey) -> bool:
    """Return whether any of the signatures is the key's; what a key id says decides nothing."""
    from cryptography.exceptions import InvalidSignature

    signed = pae(envelope.payload_type, body)
    for item in envelope.signatures:
        signature = _decoded(item.sig)
        if signature is not None:
            try:
                key.verify(signature, signed)
            except InvalidSignature:
                continue
            return True
    return False


def _encoded(data: bytes) -> str:
    return base64.standard_b64encode(data).decode()


def _decoded(text: str) -> bytes | None:
    """Return the bytes of base64 in either alphabet; None if it is none."""
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return None


def _need_library() -> None:
    """Say what to install.

    Raises:
        InputError: the package for signing is not installed.
    """
    try:
        import cryptography  # noqa: F401 - whether it is there is the question
    except ModuleNotFoundError as error:
        raise InputError(
            "signatures need the package cryptography, which is not installed",
            hint="pip install 'denotary[sign]'",
        ) from error
