"""Retrieval with a floor on the relevance of what is passed on."""

import argparse
from typing import Sequence

from langchain_core.documents import Document

RELEVANCE_FLOOR = 0.72
MAX_CONTEXT = 12_000


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("--similarity-cutoff", type=float, default=0.7)
    parser.add_argument("--max-distance", type=float, default=0.35, help="largest cosine distance")
    parser.add_argument("--top-k", type=int, default=8)
    parser.add_argument("--min-year", type=int, default=2015)
    return parser


class CutoffFilter:
    def __init__(self, similarity_cutoff: float | None = None) -> None:
        self.similarity_cutoff = similarity_cutoff

    def postprocess(self, nodes: Sequence) -> list:
        kept = []
        for node in nodes:
            if self.similarity_cutoff is not None and node.score < self.similarity_cutoff:  # gate ? < unlike
                continue
            kept.append(node)
        return kept


def filter_documents(store, question: str, args: argparse.Namespace) -> list[Document]:
    pairs = store.similarity_search_with_score(question, k=args.top_k)
    docs = [doc for doc, score in pairs if score >= args.similarity_cutoff]  # gate 0.7 >= alike
    docs = [d for d in docs if d.metadata["year"] >= args.min_year]  # no
    if sum(len(d.page_content) for d in docs) > MAX_CONTEXT:  # no
        docs = docs[:3]
    return docs


def filter_by_distance(collection, question: str, args: argparse.Namespace) -> list[str]:
    found = collection.query(query_texts=[question], n_results=args.top_k)
    texts = []
    for text, distance in zip(found["documents"][0], found["distances"][0]):
        if distance < args.max_distance:  # gate 0.35 < alike
            texts.append(text)
    return texts


def relevant(store, question: str) -> list[Document]:
    out = []
    for doc, relevance_score in store.similarity_search_with_relevance_scores(question):
        if relevance_score > RELEVANCE_FLOOR:  # gate 0.72 > alike
            out.append(doc)
    return out


def lambda_filter(hits: list) -> list:
    return list(filter(lambda hit: hit.similarity >= 0.6, hits))  # gate 0.6 >= alike


def qdrant_hits(client, vector: list[float]) -> list:
    points = client.search(collection_name="docs", query_vector=vector, limit=10)
    return [p.payload for p in points if p.score > 0.5]  # gate 0.5 > alike


def pinecone_matches(index, vector: list[float], min_similarity: float = 0.78) -> list[str]:
    response = index.query(vector=vector, top_k=5, include_metadata=True)
    good = []
    for match in response["matches"]:
        if not match["score"] >= min_similarity:  # gate 0.78 >= alike
            continue
        good.append(match["id"])
    return good


def faiss_hits(index, vectors, texts: list[str], max_l2: float = 0.9) -> list[str]:
    D, I = index.search(vectors, 10)
    out = []
    for d, i in zip(D[0], I[0]):
        if i < 0:  # no
            continue
        if d <= max_l2:  # gate 0.9 <= alike
            out.append(texts[i])
    return out


def rerank(pairs: list[tuple[str, float]], reranker, floor: float = 0.2) -> list[str]:
    ranked = sorted(pairs, key=lambda p: p[1], reverse=True)
    kept = []
    for text, _ in ranked:
        rerank_score = reranker.score(text)
        if rerank_score < floor:  # gate 0.2 < unlike
            break
        kept.append(text)
        if len(kept) == 5:  # no
            break
    return kept


def novel_sentences(sentences: list[str], embed, seen: list, limit: float = 0.85) -> list[str]:
    fresh = []
    for sentence in sentences:
        v = embed(sentence)
        if all(cos_sim(v, s) < limit for s in seen):  # gate 0.85 < unlike
            fresh.append(sentence)
            seen.append(v)
    return fresh


def cos_sim(a, b) -> float:
    return sum(x * y for x, y in zip(a, b))


def chunk(text: str, size: int = 800, overlap: int = 80) -> list[str]:
    if overlap >= size:  # no
        raise ValueError("overlap must be smaller than size")
    pieces, start = [], 0
    while start < len(text):  # no
        pieces.append(text[start : start + size])
        start += size - overlap
    return pieces


def backoff(attempt: int, retry_after: float) -> bool:
    return attempt < 5 and retry_after <= 30.0  # no


def is_fresh(doc: Document, now: float) -> bool:
    return now - doc.metadata["time"] < 86_400  # no


def recall_ok(metrics: dict) -> bool:
    if metrics["recall@5"] < 0.8:  # no
        return False
    return metrics["mrr"] > 0.6  # no
