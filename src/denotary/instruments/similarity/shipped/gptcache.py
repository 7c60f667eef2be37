"""GPTCache: a cached answer is served if the question is alike enough to the one it was cached for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denotary.instruments.similarity.shipped.component import Component, Decision, version_of

if TYPE_CHECKING:
    from denotary.instruments.similarity.shipped.component import Embed

PACKAGE = "gptcache"
EXTRA = "gate-gptcache"


def semantic_cache(embed: Embed) -> Component:
    """Return a cache as its documentation sets one up: FAISS, SQLite in memory, ``SearchDistanceEvaluation``.

    The first text is cached, and the cache is asked for the second.

    Args:
        embed: texts to vectors.

    Raises:
        InputError: the extra ``gate-gptcache`` is not installed.
    """
    # GPTCache calls pip for what it lacks when it is imported; so what it would lack is asked for first.
    version = version_of(PACKAGE, EXTRA, "faiss", "sqlalchemy")
    from gptcache.adapter.api import get, put

    made = _cache(embed)

    def decide(first: str, second: str) -> Decision:
        put(first, "cached", cache_obj=made)
        try:
            return Decision(approved=get(second, cache_obj=made) is not None)
        finally:
            manager = made.data_manager
            manager.v.delete(manager.s.get_ids(deleted=False))
            manager.s.mark_deleted(manager.s.get_ids(deleted=False))

    lowest, highest = made.similarity_evaluation.range()
    share = float(made.config.similarity_threshold)
    return Component(
        name="gptcache",
        component="gptcache.core.Cache",
        package=PACKAGE,
        version=version,
        rule=f"{highest:g} - squared distance >= {share:g} x ({highest:g} - {lowest:g})",
        cutoff=share,
        read_from="Config.similarity_threshold",
        decide=decide,
        remark=(
            "The threshold is a share of the range of the evaluation: on unit vectors the default serves an answer "
            f"at a squared distance up to {highest - share * (highest - lowest):.3g}, "
            f"which is a cosine from {1 - (highest - share * (highest - lowest)) / 2:.3g} on. "
            "Its documentation describes the scale the other way round."
        ),
    )


def _cache(embed: Embed) -> Any:
    """Return an empty cache with its index, its records, and its evaluation."""
    import atexit
    from shutil import rmtree
    from tempfile import mkdtemp

    import numpy as np
    from gptcache import Config
    from gptcache.core import Cache
    from gptcache.manager import CacheBase, VectorBase, get_data_manager
    from gptcache.processor.pre import get_prompt
    from gptcache.similarity_evaluation import SearchDistanceEvaluation

    # GPTCache writes its index every few answers and at the end of the process, after which the folder goes.
    folder = mkdtemp(prefix="denotary-gptcache-")
    atexit.register(rmtree, folder, ignore_errors=True)
    made = Cache()
    made.init(
        pre_embedding_func=get_prompt,
        embedding_func=lambda text, **_: np.array(embed([text])[0], dtype=np.float32),
        data_manager=get_data_manager(
            CacheBase("sqlite", sql_url="sqlite:///:memory:"),
            VectorBase("faiss", dimension=len(embed(["one text"])[0]), index_path=f"{folder}/index"),
        ),
        similarity_evaluation=SearchDistanceEvaluation(),
        config=Config(),
    )
    return made
