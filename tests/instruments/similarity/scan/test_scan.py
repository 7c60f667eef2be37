"""Following a cutoff to its number, what is passed over, and what cannot be read."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from denotary.cli.root import root
from denotary.errors import InputError
from denotary.instruments.similarity.scan import Site, scan
from denotary.instruments.similarity.scan.sarif import message, prefix, sarif
from denotary.instruments.similarity.scan.sources import LONGEST

COMPARED = "\ndef gate(cosine_similarity, {parameter}):\n    return cosine_similarity >= {cutoff}\n"


def sites(folder: Path, **files: str) -> tuple[Site, ...]:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return scan(folder).sites


def python(folder: Path, before: str = "", cutoff: str = "threshold", parameter: str = "*_") -> Site:
    (site,) = sites(folder, gates=before + COMPARED.format(cutoff=cutoff, parameter=parameter))
    return site


@pytest.mark.parametrize(
    ("before", "cutoff", "parameter"),
    [
        ("", "0.83", "*_"),
        ("LIMIT = 0.83", "LIMIT", "*_"),
        ("BASE = 0.9\nLIMIT = BASE - 0.07", "LIMIT", "*_"),
        ("", "threshold", "threshold=0.83"),
        ("", "threshold", "*, threshold: float = 0.83"),
        ("", "(threshold or 0.83)", "threshold=None"),
        (
            "class Settings(BaseModel):\n    threshold: float = Field(default=0.83, ge=0)",
            "settings.threshold",
            "settings",
        ),
        ("class Settings(BaseModel):\n    threshold: float = Field(0.83)", "settings.threshold", "settings"),
        ("@dataclass\nclass Config:\n    threshold: float = 0.83", "config.threshold", "config"),
        ("parser.add_argument('--sim-threshold', type=float, default=0.83)", "args.sim_threshold", "args"),
        ("LIMIT = float(os.getenv('LIMIT', '0.83'))", "LIMIT", "*_"),
        ("LIMIT = float(os.environ.get('LIMIT', 0.83))", "LIMIT", "*_"),
        ("CONFIG = {'threshold': 0.83}", "CONFIG['threshold']", "*_"),
        ("", "options.get('threshold', 0.83)", "options"),
        ("def use(x):\n    gate(x, 0.83)", "threshold", "threshold"),
        ("def use(x):\n    gate(x, threshold=0.83)", "threshold", "threshold"),
    ],
)
def test_a_cutoff_is_followed_to_its_number(tmp_path: Path, before: str, cutoff: str, parameter: str) -> None:
    assert python(tmp_path, before, cutoff, parameter).value == 0.83


def test_a_field_is_that_of_its_own_class(tmp_path: Path) -> None:
    (site,) = sites(
        tmp_path,
        gates="class A:\n    threshold = 0.7\n"
        "class B:\n    threshold = 0.9\n    def gate(self, similarity):\n        return similarity > self.threshold\n",
    )
    assert (site.value, site.origin) == (0.9, "gates.py:4")


def test_fields_that_are_assigned_together_are_told_apart(tmp_path: Path) -> None:
    (site,) = sites(
        tmp_path,
        gates="class A:\n    def __init__(self, k=5, threshold=0.9):\n        self.k, self.threshold = k, threshold\n"
        "    def gate(self, similarity):\n        return similarity > self.threshold\n",
    )
    assert (site.value, site.origin) == (0.9, "gates.py:2")


def test_a_number_of_another_file_is_taken_where_only_one_gives_it(tmp_path: Path) -> None:
    use = "def gate(similarity, config):\n    return similarity > config.sim_threshold\n"
    (site,) = sites(tmp_path, use=use, config="sim_threshold = 0.6\n")
    assert (site.value, site.origin) == (0.6, "config.py:1")
    (site,) = sites(tmp_path, other="sim_threshold = 0.7\n")
    assert site.value is None


@pytest.mark.parametrize(
    "before",
    [
        "threshold = limit\nlimit = threshold",
        "threshold = threshold",
        "threshold = float('-inf')",
        "threshold = None",
    ],
)
def test_what_leads_to_no_number_has_none(tmp_path: Path, before: str) -> None:
    assert python(tmp_path, before).value is None


@pytest.mark.parametrize(
    ("compared", "operator", "fires"),
    [
        ("cosine_similarity >= 0.8", ">=", "alike"),
        ("0.8 < cosine_similarity", ">", "alike"),
        ("cosine_similarity < 0.8", "<", "unlike"),
        ("cosine_distance < 0.8", "<", "alike"),
        ("1 - cosine_similarity > 0.8", ">", "unlike"),
        ("torch.ge(cosine_similarity, 0.8)", ">=", "alike"),
        ("cosine_distances.le(0.8)", "<=", "alike"),
    ],
)
def test_comparison_and_direction(tmp_path: Path, compared: str, operator: str, fires: str) -> None:
    (site,) = sites(tmp_path, gates=f"found = {compared}\n")
    assert (site.operator, site.fires, site.value) == (operator, fires, 0.8)


@pytest.mark.parametrize(
    "compared",
    [
        "abs(similarity - other) < 0.01",
        "similarity > best_similarity",
        "similarity > 1.0",
        "similarity < 0",
        "len(similarities) > 5",
        "similarity == 0.8",
        "confidence > 0.8",
    ],
)
def test_a_look_alike_is_no_gate(tmp_path: Path, compared: str) -> None:
    assert sites(tmp_path, gates=f"found = {compared}\n") == ()


PRODUCT = (
    "import numpy as np\n\n\ndef near(x, y, X, gamma, centroid, kept, tol=0.5, threshold=0.9):\n    {}\n"
)


@pytest.mark.parametrize(
    "body",
    [
        "return np.dot(x, y) > threshold",
        "return float(np.inner(x, y)) > 0.9",
        "got = np.dot(x, y)\n    return got > 0.9",
        "got: float = float(np.vdot(x, y))\n    return 0.9 < got",
        "return (got := np.dot(x, y)) > 0.9 and got < threshold",
        "return np.dot(x, y) / (np.linalg.norm(x) * np.linalg.norm(y)) > 0.9",
        "return np.dot(x, centroid) / (np.linalg.norm(x) * np.linalg.norm(centroid)) > 0.9",
    ],
)
def test_a_dot_product_counts_where_it_is_compared_as_it_stands(tmp_path: Path, body: str) -> None:
    assert sites(tmp_path, gates=PRODUCT.format(body))


@pytest.mark.parametrize(
    "body",
    [
        "return np.sum((y - np.dot(x, kept)) ** 2) <= threshold",
        "got = y - np.dot(x, kept)\n    return got <= 0.5",
        "got = np.dot(x, y)\n    return got * 2 > 0.5",
        "got = np.dot(x, y) ** 2\n    return got > 0.5",
        "got = 0.0\n    for one in kept:\n        got += np.dot(one, y)\n    return got > 0.5",
        "square = np.dot(kept, kept)\n    return square / 2 <= threshold ** 2",
        "return np.dot(kept, kept) > 0.5",
        "return np.dot(x, gamma) > 0.5",
        "return np.dot(X, y) > 0.5",
        "return np.dot(x, centroid) > 0.5",
        "return np.dot(x, y) > tol",
        "radius = np.dot(x, y)\n    return radius > 0.5",
    ],
)
def test_a_dot_product_in_numerical_code_is_no_gate(tmp_path: Path, body: str) -> None:
    assert not sites(tmp_path, gates=PRODUCT.format(body))


def test_holding_a_distance_to_its_scale_is_no_gate(tmp_path: Path) -> None:
    clip = "def scale(distance, max_distance=4.0):\n    if distance > max_distance:\n        distance = max_distance\n"
    assert sites(tmp_path, gates=clip) == ()


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def (", encoding="utf-8")
    (tmp_path / "latin.py").write_bytes("# é\n".encode("latin-1"))
    (tmp_path / "long.py").write_text("#" * (LONGEST + 1), encoding="utf-8")
    (tmp_path / "deep.py").write_text("x = " + "(" * 5000 + ")" * 5000, encoding="utf-8")
    (tmp_path / "good.py").write_text("found = similarity > 0.8\n", encoding="utf-8")
    found = scan(tmp_path)
    assert [path for path, _ in found.skipped] == ["broken.py", "deep.py", "latin.py", "long.py"]
    assert len(found.sites) == 1
    assert found.files == 1


def test_an_expression_that_goes_too_deep_skips_its_file_alone(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_typescript")
    for name in ("long.py", "long.ts"):
        (tmp_path / name).write_text("x = " + " + ".join(["text"] * 3000) + "\n", encoding="utf-8")
    (tmp_path / "good.py").write_text("found = similarity > 0.8\n", encoding="utf-8")
    found = scan(tmp_path)
    assert ([path for path, _ in found.skipped], found.files) == (["long.py", "long.ts"], 1)
    assert len(found.sites) == 1


def test_links_and_foreign_folders_are_not_walked(tmp_path: Path) -> None:
    text = "found = similarity > 0.8\n"
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "a.py").write_text(text, encoding="utf-8")
    (tmp_path / "real.py").write_text(text, encoding="utf-8")
    (tmp_path / "link.py").symlink_to(tmp_path / "real.py")
    (tmp_path / "circle").symlink_to(tmp_path)
    assert [site.path for site in scan(tmp_path).sites] == ["real.py"]


def test_there_has_to_be_something_to_scan(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        scan(tmp_path / "absent")


@pytest.mark.parametrize(
    ("second", "seen"),
    [("The drug was not given to her.", True), ("The drug was given to her today.", False)],
)
def test_a_polarity_case_beside_a_gate_is_seen(tmp_path: Path, second: str, seen: bool) -> None:
    (tmp_path / "tests").mkdir()
    case = f'import gates\n\nPAIR = ("The drug was given to her.", "{second}")\n'
    (tmp_path / "tests" / "test_gates.py").write_text(case, encoding="utf-8")
    assert python(tmp_path, cutoff="0.8").tests == (("tests/test_gates.py",) if seen else ())


def test_the_log_has_the_shape_of_sarif(tmp_path: Path) -> None:
    python(tmp_path, cutoff="0.8")
    (tmp_path / "broken.py").write_text("def (", encoding="utf-8")
    found = scan(tmp_path)
    log = json.loads(sarif(found, version="1.0"))
    (run,) = log["runs"]
    (result,) = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert log["version"] == "2.1.0"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["message"]["text"] == message(found.sites[0])
    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "gates.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3},
    }
    # An address of the base would be that of one machine; without one it is the reader's to say.
    assert "uri" not in run["originalUriBaseIds"]["%SRCROOT%"]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("broken.py was not read")


@pytest.mark.parametrize(
    ("name", "source", "value"),
    [
        (
            "a.ts",
            "const LIMIT: number = 0.83;\nexport const f = (similarity: number) => similarity > LIMIT;",
            0.83,
        ),
        (
            "a.js",
            "function f(similarity, { threshold = 0.83 } = {}) { return similarity > threshold; }",
            0.83,
        ),
        ("a.ts", "const t = Number(process.env.T ?? '0.83');\nif (cosineSimilarity(a, b) > t) run();", 0.83),
        ("a.tsx", "const C = ({ similarity, threshold = 0.83 }) => similarity > threshold && <b/>;", 0.83),
        (
            "a.ts",
            "class C { #threshold = 0.83; f(similarity) { return similarity > this.#threshold; } }",
            0.83,
        ),
        ("a.js", "const threshold = limit; const limit = threshold; f(similarity > threshold);", None),
    ],
)
def test_a_cutoff_of_a_script_is_followed(
    tmp_path: Path, name: str, source: str, value: float | None
) -> None:
    pytest.importorskip("tree_sitter_typescript")
    (tmp_path / name).write_text(source, encoding="utf-8")
    (site,) = scan(tmp_path).sites
    assert (site.value, site.operator, site.fires) == (value, ">", "alike")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bom.py", b"\xef\xbb\xbfx = similarity > 0.8\n"),
        ("declared.py", "# -*- coding: latin-1 -*-\nx = 'é' if similarity > 0.8 else 1\n".encode("latin-1")),
        ("bom.ts", b"\xef\xbb\xbfif (similarity > 0.8) {}\n"),
    ],
)
def test_sources_are_read_as_their_languages_read_them(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    found = scan(tmp_path)
    assert (found.skipped, [site.value for site in found.sites]) == ((), [0.8])


def test_an_encoding_that_does_not_exist_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# -*- coding: nope -*-\nx = similarity > 0.8\n")
    assert scan(tmp_path).skipped == (("a.py", "not UTF-8, nor what it declares"),)


def test_a_name_of_any_bytes_reaches_every_output(tmp_path: Path) -> None:
    for name in (b"half\xff.py", "sp ace é\n.py".encode()):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x = similarity > 0.8\n")
    log = json.loads(sarif(scan(tmp_path), version="1"))
    places = [result["locations"][0]["physicalLocation"] for result in log["runs"][0]["results"]]
    assert [place["artifactLocation"]["uri"] for place in places] == [
        "half%5Cxff.py",
        "sp%20ace%20%C3%A9%0A.py",
    ]


@pytest.mark.parametrize(
    ("cutoff", "value"),
    [
        ("1 - 0.2", 0.8),
        ("0.5 + 0.3", 0.8),
        ("2 * 0.4", 0.8),
        ("1.6 / 2", 0.8),
        ("1 - MARGIN", 0.8),
        ("1 - other.threshold", None),
        ("1 / 0 * threshold", None),
        ("(options.threshold ?? 0.8)", 0.8),
        ("(options.threshold || 0.8)", 0.8),
    ],
)
def test_arithmetic_of_a_script_is_worked_out(tmp_path: Path, cutoff: str, value: float | None) -> None:
    (tmp_path / "a.ts").write_text(f"const MARGIN = 0.2;\nif (similarity > {cutoff}) {{}}\n")
    assert [site.value for site in scan(tmp_path).sites if site.value is not None] == (
        [] if value is None else [value]
    )


def addresses(folder: Path, scanned: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Scan as a user in the folder does and return what is said of paths: of the place, the origin and the tests."""
    monkeypatch.chdir(folder)
    found = scan(scanned)
    (run,) = json.loads(sarif(found, version="1", before=prefix(Path(scanned))))["runs"]
    (result,) = run["results"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    return [
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        result["properties"]["origin"],
        result["message"]["text"].rpartition("polarity case in ")[2],
        *(note["message"]["text"].split()[0] for note in notes),
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder ``repo/my src`` with a gate in ``a.py``, a polarity case beside it and a file that cannot be read."""
    inner = tmp_path / "repo" / "my src"
    (inner / "tests").mkdir(parents=True)
    (inner / "a.py").write_text("LIMIT = 0.8\nfound = similarity > LIMIT\n", encoding="utf-8")
    (inner / "broken.py").write_text("def (", encoding="utf-8")
    case = 'import a\n\nPAIR = ("The drug was given to her.", "The drug was not given to her.")\n'
    (inner / "tests" / "test_a.py").write_text(case, encoding="utf-8")
    return tmp_path / "repo"


IN_THE_REPOSITORY = ["my%20src/a.py", "my src/a.py:1", "my src/tests/test_a.py", "my"]
IN_THE_FOLDER = ["a.py", "a.py:1", "tests/test_a.py", "broken.py"]


@pytest.mark.parametrize(("start", "scanned"), [(".", "my src"), ("my src", "."), ("my src/tests", "..")])
def test_the_log_names_files_from_the_root_of_the_repository(
    project: Path, monkeypatch: pytest.MonkeyPatch, start: str, scanned: str
) -> None:
    (project / ".git").mkdir()
    assert addresses(project / start, scanned, monkeypatch) == IN_THE_REPOSITORY


def test_outside_a_repository_the_log_names_files_from_the_working_directory(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert addresses(project, "my src", monkeypatch) == IN_THE_REPOSITORY
    assert addresses(project / "my src", ".", monkeypatch) == IN_THE_FOLDER
    assert addresses(project / "my src" / "tests", "..", monkeypatch) == IN_THE_FOLDER


def test_a_file_that_is_scanned_alone_is_named_in_its_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert prefix(Path("my src/a.py")) == "my src/"


def test_the_command_writes_paths_from_the_root(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    result = CliRunner().invoke(root, ["similarity", "scan", "my src", "--sarif", "log.sarif", "--quiet"])
    assert (result.exit_code, result.output) == (0, "")
    assert '"uri":"my%20src/a.py"' in Path("log.sarif").read_text(encoding="utf-8")
