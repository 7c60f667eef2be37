"""Tables of pairs."""

import pandas as pd
import polars as pl

CUT = 0.77


def pairs(df: pd.DataFrame, least: float = 0.65):
    a = df.query("similarity > 0.9")  # gate 0.9 > alike
    b = df[df.similarity > 0.9]  # gate 0.9 > alike
    c = df[df["cosine_distance"].le(0.25)]  # gate 0.25 <= alike
    d = df.query("votes > 3 and cos_sim >= @least")  # gate 0.65 >= alike
    e = df.query(f"similarity < {CUT}")  # gate 0.77 < unlike
    f = df.loc[lambda rows: rows.semantic_score > 0.55]  # gate 0.55 > alike
    g = df.query("`text similarity` >= 0.8")  # gate 0.8 >= alike
    h = df.query("0.3 < distance_to_city")  # no
    i = df.query("year > 2020 and votes >= 5")  # no
    j = df.eval("similarity > 0.5")  # gate 0.5 > alike
    k = df[df["similarity"].between(0.6, 0.9)]  # gate 0.6 >= alike
    m = df.query("edit_distance <= 2", engine="python")  # gate 2 <= alike
    n = df.query("label == 'similarity > 0.9'")  # no
    o = df[(df.similarity >= 0.7) & (df.votes > 2)]  # gate 0.7 >= alike
    p = df.drop(df[df["similarity"] < 0.1].index)  # gate 0.1 < unlike
    return a, b, c, d, e, f, g, h, i, j, k, m, n, o, p


def lazy(frame: pl.LazyFrame):
    near = frame.filter(pl.col("cosine_similarity").gt(0.6))  # gate 0.6 > alike
    return near.filter(pl.col("year").gt(20))  # no


def asked(index, question):
    return index.query("is similarity > 0.9 enough for a match?")  # no
