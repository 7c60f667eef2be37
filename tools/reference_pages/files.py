"""Files and their records, from the types of which the schemas are made."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

import msgspec
from schemas import TYPES

from denotary.annotation.loading import AGREEMENT, GUIDELINES, JUDGEMENTS, REJECTED, REVISED
from denotary.certify.comparison_writing import MIGRATION, PLACES, STATEMENT
from denotary.certify.comparison_writing import NAMES as COMPARISON_NAMES
from denotary.certify.writing import ENVELOPE, NAMES, RUN, envelope_of
from denotary.instruments.identity.recipes.building import NOMINATIONS
from denotary.registry.locks import FILES as REGISTRY_FILES
from denotary.registry.locks import LOCK, RECORDS
from denotary.resolver.semantic.storing import CALIBRATION, EXPRESSIONS, HEAD, MODEL, VECTORS
from denotary.runs.folder import FILES as RUN_FILES
from denotary.runs.triage import TRIAGE
from denotary.suites.building import CANDIDATES
from denotary.suites.ledger import LEDGER
from denotary.suites.loading import CASES, MANIFEST, REGISTRY_LOCK, SUITE_LOCK
from reference_pages.markdown import attribute_docs, code, codes, prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

INTRO = """# Files and schemas

Records are JSON Lines (one object a line, UTF-8) or TOML. A key that is not known is an error, and the error names
file, line and record. For every record there is a JSON Schema in the folder `schemas`, written from the same types as
this page. What denotary writes is canonical JSON: sorted keys, no spaces. Files are replaced as a whole, so a reader
never sees half of one; only the two logs of a run, the ledger of a suite, and judgements of either are appended to.

"""
FOLDERS: dict[str, tuple[tuple[str, ...], dict[str, tuple[str, str]]]] = {
    "A registry": (
        (*REGISTRY_FILES, RECORDS, LOCK),
        {
            "registry.toml": ("registry", "what this registry is"),
            "concepts.jsonl": ("concept", "the concepts, each with its definitions and neighbours"),
            "expressions.jsonl": ("expression", "reviewed texts, each with the codes it expresses"),
            "ambiguities.jsonl": ("ambiguity", "texts with more than one sense; optional"),
            "migrations.jsonl": ("migration", "what became of concepts of earlier versions; optional"),
            "records.sha256": ("", "written by freeze: a digest of every record"),
            "registry.lock": ("registry-lock", "written by freeze, checked at every load"),
        },
    ),
    "The conformance vectors": (
        ("conformance.toml", "vectors.jsonl"),
        {
            "conformance.toml": ("conformance", "which version of the vectors this is"),
            "vectors.jsonl": ("conformance-vector", "requests, and what each must be answered with"),
        },
    ),
    "A suite": (
        (MANIFEST, CASES, REGISTRY_LOCK, LEDGER, RECORDS, SUITE_LOCK, CANDIDATES, NOMINATIONS),
        {
            "suite.toml": ("suite", "what the suite is and what it may support"),
            "cases.jsonl": ("case", "the cases; of a similarity suite, `similarity-case`"),
            "registry.lock": ("registry-lock", "written by freeze: the snapshot that the gold refers to"),
            "ledger.jsonl": ("ledger-entry", "written by freeze and by corrections; a chain of digests"),
            "records.sha256": ("", "written by freeze: a digest of every case"),
            "suite.lock": ("suite-lock", "written by freeze, checked at every load"),
            "candidates.jsonl": (
                "case-candidate",
                "written by build: cases that wait for a person; never frozen",
            ),
            "nominations.jsonl": ("nomination", "written by build: pairs that deserve a hard negative"),
        },
    ),
    "A corpus of matched anchors": (
        ("corpus.toml", "anchors-*.jsonl", "rejected.jsonl", "guideline.md", "instruction-*.md"),
        {
            "corpus.toml": ("similarity-corpus", "what the corpus is, and a digest of every other file"),
            "anchors-*.jsonl": (
                "similarity-corpus-anchor",
                "the anchors of a half; with users, `.jsonl` of `similarity-anchor` or `similarity-pair`",
            ),
            "rejected.jsonl": ("similarity-rejected-anchor", "anchors that fell, each with the cause"),
            "guideline.md": ("", "what second readers were told"),
            "instruction-*.md": ("", "what the writers of a half were told"),
        },
    ),
    "The judgements of a suite, in its folder `judging`": (
        (JUDGEMENTS, REJECTED, REVISED, AGREEMENT, GUIDELINES),
        {
            "judgements.jsonl": ("judgement", "every vote, append-only; a chain of digests"),
            "rejected.jsonl": (
                "excluded-item",
                "cases and candidates that are not in the suite, with all their votes",
            ),
            "revised.jsonl": ("revised-item", "cases as they were judged, whose records have changed since"),
            "agreement.json": (
                "judging-report",
                "how far votes and gold agree, recomputed by `tools/judging.py`",
            ),
            "guideline-*.md": ("", "what judges had before them, one file a revision"),
        },
    ),
    "A run": (
        (*RUN_FILES, TRIAGE),
        {
            "run.toml": ("run", "suite, registry, system, identity and settings"),
            "plan.jsonl": ("call", "every call, fixed before anything is asked"),
            "answers.jsonl": ("answer", "decoded answers in the order of their arrival; no times"),
            "calls.jsonl": ("raw-call", "what was sent and came back, with times"),
            "salt": ("", "the secret that the opaque ids are made with"),
            "sealed.jsonl": ("answer", "the answers in the order of the plan, once the run is complete"),
            "seal.json": ("seal", "SHA-256 of every file of the run but the next, written last"),
            "triage.jsonl": ("cause-judgement", "root causes that persons set since; a chain of digests"),
        },
    ),
    "A fitted semantic lane": (
        (MODEL, HEAD, VECTORS, EXPRESSIONS, CALIBRATION),
        {
            "model.json": ("semantic-model", "what was fitted, on what, by digest; written last"),
            "head.npz": ("", "the arrays of the head"),
            "vectors.npz": ("", "the vectors of the concepts' texts as integers, and their scale"),
            "expressions.json": ("", "the concepts' texts by code and language"),
            "calibration.json": (
                "semantic-calibration",
                "written by calibrate, from lines of `semantic-example`: the threshold, or that none qualifies",
            ),
        },
    ),
    "The output of `certify`": (
        (RUN, *NAMES, ENVELOPE),
        {
            "run": ("", "the folder of the run"),
            "policy.toml": ("policy", "the policy, byte for byte"),
            "rows.jsonl": ("row", "every measure in every slice"),
            "verdict.json": ("verdict", "the decision, and every gate"),
            "certificate.json": (
                "",
                "in-toto Statement v1; see [what it proves](../explanation/certificate.md)",
            ),
            "report.html": ("", "the report, one file"),
            "summary.md": ("", "the verdict for a pull request"),
            "junit.xml": ("", "a test case a gate and slice, for a test page"),
            "gates.sarif": ("", "a result a gate and slice, SARIF 2.1.0"),
            "certificate.dsse.json": (
                "signed-certificate",
                "the certificate with a signature, where one was asked for",
            ),
        },
    ),
    "The output of `compare`": (
        (*COMPARISON_NAMES, MIGRATION, PLACES, envelope_of(STATEMENT)),
        {
            "policy.toml": ("policy", "the policy, byte for byte"),
            "comparisons.jsonl": ("comparison-row", "every measure of both systems in every slice"),
            "rows.jsonl": ("row", "events over pairs of cases in every slice"),
            "verdict.json": ("verdict", "the decision, and every gate"),
            "comparison.json": (
                "",
                "in-toto Statement v1: which cases are compared and which not, recertification, gates, inputs",
            ),
            "report.html": ("", "the report, one file"),
            "summary.md": ("", "the verdict for a pull request"),
            "junit.xml": ("", "a test case a gate and slice, for a test page"),
            "migration.jsonl": ("migration", "what became of each concept, where it was given"),
            "runs.toml": ("comparison-runs", "where both runs lie; no part of the result"),
            "comparison.dsse.json": (
                "signed-certificate",
                "the statement with a signature, where one was asked for",
            ),
        },
    ),
}
"""The files of a folder as the code names them, and for each its record and what it holds."""


def page() -> str:
    """Return the page."""
    folders = "".join(_folder(title, *content) for title, content in FOLDERS.items())
    found = _Records()
    records = "\n".join(found.sections())
    return INTRO + folders + "\n## Records\n\n" + records


def _folder(title: str, names: Sequence[str], files: Mapping[str, tuple[str, str]]) -> str:
    if set(names) != set(files):
        raise RuntimeError(f"{title}: the code writes {sorted(names)}, the page describes {sorted(files)}")
    rows = [(code(name), _link(record) if record else "", text) for name, (record, text) in files.items()]
    return f"## {title}\n\n{table(('file', 'record', 'holds'), rows)}\n"


def _link(record: str) -> str:
    return f"[{record}](#{record})"


class _Records:
    """The sections of all records, those within records included."""

    def __init__(self) -> None:
        self.names = {cls: name for name, kind in TYPES.items() for cls in (get_args(kind) or (kind,))}
        self.waiting: list[type] = []
        self.seen: set[type] = set()

    def sections(self) -> Iterator[str]:
        """Yield a section for every record that has a schema, and below them the parts that have none."""
        for name, kind in TYPES.items():
            members = get_args(kind) or (kind,)
            yield f"### {name} {{ #{name} }}\n\nSchema: `schemas/{name}.schema.json`\n"
            yield from (self._record(cls, heading=4 if len(members) > 1 else 0) for cls in members)
        yield "## Parts of records\n"
        while self.waiting:
            yield self._record(self.waiting.pop(0), heading=3)

    def _record(self, cls: type, *, heading: int) -> str:
        title = f"{'#' * heading} {_anchor(cls)} {{ #{_anchor(cls)} }}\n\n" if heading else ""
        docs, hints = attribute_docs(cls), typing.get_type_hints(cls)
        rows = [
            (
                code(field.encode_name),
                self._type(hints[field.name]),
                _default(field),
                docs.get(field.name, ""),
            )
            for field in msgspec.structs.fields(cls)
        ]
        about = prose(cls.__doc__ or "")
        return f"{title}{about}\n\n{table(('field', 'type', 'default', 'meaning'), rows)}"

    def _type(self, hint: Any) -> str:
        origin, inner = get_origin(hint), get_args(hint)
        if origin is Literal:
            return codes(inner)
        if origin in {Union, types.UnionType}:
            return ", or ".join(self._type(item) for item in inner if item is not type(None))
        if origin in {tuple, list}:
            return f"list of {self._type(inner[0])}"
        if origin is dict:
            return f"object of {self._type(inner[1])}"
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._reference(hint)
        names = {
            str: "text",
            int: "integer",
            float: "number",
            bool: "true or false",
            Any: "any JSON",
            dict: "object",
        }
        return names[hint]

    def _reference(self, cls: type) -> str:
        if cls in self.names:
            return _link(self.names[cls])
        if cls not in self.seen:
            self.seen.add(cls)
            self.waiting.append(cls)
        return _link(_anchor(cls))


def _anchor(cls: type) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in cls.__name__).strip("-")


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    if field.default is None:
        return "absent"
    if field.default_factory is not msgspec.NODEFAULT or field.default in ("", ()):
        return "empty"
    if isinstance(field.default, tuple):
        return codes(field.default)
    return code(str(field.default).lower() if isinstance(field.default, bool) else field.default)
