"""Texts in many scripts, and the options without which some operators cannot work."""

from typing import Any

import unicodedata2
from hypothesis import strategies as st

WORDS = {
    "en": ["stable", "the", "registry's", "CODE", "co-op", "Polish", "over-the-top", "5'", "H2O"],
    "de": ["Straße", "für", "Größe", "Müller", "Maß"],
    "tr": ["ışık", "İstanbul", "çiğ", "IRMAK"],
    "vi": ["tiếng", "Việt", "được"],
    "el": ["ταυτότητα", "λέξη", "Σοφία", "ᾳ"],
    "ru": ["словарь", "ещё", "Йод", "объект"],
    "hi": ["नमस्ते", "क़लम", "ज़िंदगी", "क्षत्रिय", "आओ", "क्\u200dष"],
    "ta": ["தமிழ்", "ஔவை", "கோடு"],
    "ml": ["അവൻ", "മലയാളം"],
    "ar": ["كتاب", "مُحَمَّد", "أحمد", "يد"],
    "fa": ["می\u200cروم", "کتاب‌ها", "یک"],
    "he": ["שָׁלוֹם", "ספר", "צה״ל"],
    "th": ["ภาษาไทย", "น้ำ", "แผ่นดิน"],
    "ko": ["한국어", "단어", "ㅋㅋ"],
    "ja": ["がば", "パンダ", "ラーメン", "東京都", "ｶﾞｷﾞ", "へや"],
    "zh": ["概念", "代码", "黑土", "絕"],
    "und": ["👩🏽‍🔬", "🇩🇪🇫🇷", "1️⃣", "❤️", "👨‍👩‍👧"],
}
"""Real words by language."""
ALL = [word for words in WORDS.values() for word in words]
BETWEEN = [
    " ",
    " ",
    " ",
    "-",
    ", ",
    " – ",
    " 12 ",
    "3.14",
    " ٤٥ ",
    ".",
    "?",
    "\u00a0",
    "“",
    "’s ",
    "\n",
    "。",
    "; ",
]
FORMS = ["NFC", "NFD"]

CODES = ["semantic_registry.hard_negative", "representation.machine_readable"]
SENTENCES = ["A hard negative is near and wrong.", "A migration moves a code."]
REQUIRED: dict[str, dict[str, Any]] = {
    "long.neighbours": {"neighbours": SENTENCES},
    "long.decoy": {"decoys": SENTENCES},
    "long.no_target": {"others": SENTENCES},
    "long.final_sentence": {"sentence": "All of that was a dream."},
}
TABLE = {
    "stable": ["stabil", "stables"],
    "नमस्ते": ["namaste", "namste"],
    "словарь": "slovar",
    "كتاب": "kitab",
    "概念": "gainian",
    "für": "fuer",
}


def options_of(operator: str) -> dict[str, Any]:
    family, _, name = operator.partition(".")
    if family == "prompt":
        return {"codes": CODES}
    if family in {"morphology", "script"} or name == "attested":
        return {"table": TABLE}
    return REQUIRED.get(operator, {})


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, str]:
    """Return (language, text)."""
    language = draw(st.sampled_from(sorted(WORDS)))
    words = st.one_of(st.sampled_from(WORDS[language]), st.sampled_from(ALL))
    parts = draw(st.lists(st.tuples(words, st.sampled_from(BETWEEN)), min_size=1, max_size=6))
    text = "".join(word + gap for word, gap in parts)
    return language, unicodedata2.normalize(draw(st.sampled_from(FORMS)), text)
