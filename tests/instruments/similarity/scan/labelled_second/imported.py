"""Scores whose direction their import tells, and no name."""

import math
import statistics as st

import jellyfish
import Levenshtein as lev
import rapidfuzz
import scipy.spatial.distance as ssd
import sklearn.metrics.pairwise as pw
import torch
import torch.nn.functional as F
from difflib import SequenceMatcher as SM
from nltk import edit_distance
from numpy.linalg import norm
from rapidfuzz import fuzz, process
from rapidfuzz.distance import JaroWinkler, Levenshtein
from scipy.spatial import distance
from scipy.spatial.distance import cosine, euclidean as how_far
from scipy.stats import spearmanr
from sentence_transformers import util
from sentence_transformers.util import cos_sim as cs, pytorch_cos_sim
from shapely import distance as apart
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import cosine_distances, cosine_similarity as compare, linear_kernel
from torch import nn

MOST = 0.3


def same(x, y):
    return cosine(x, y) < 0.2  # gate 0.2 < alike


def same_again(x, y):
    sim = 1 - cosine(x, y)
    return sim > 0.8  # gate 0.8 > alike


def misnamed(x, y):
    similarity = cosine(x, y)
    return similarity < MOST  # gate 0.3 < alike


def far(x, y):
    return how_far(x, y) > 1.1  # gate 1.1 > unlike


def by_module(x, y):
    if distance.cosine(x, y) >= 0.4:  # gate 0.4 >= unlike
        return False
    return ssd.cityblock(x, y) < 12  # gate 12 < alike


def kernels(queries, texts):
    gram = linear_kernel(queries, texts)
    table = compare(queries, texts)
    away = cosine_distances(queries, texts)
    if table.max() > 0.9:  # gate 0.9 > alike
        return "same"
    if away.min() < 0.1:  # gate 0.1 < alike
        return "same"
    if pw.cosine_similarity(queries, texts)[0, 0] < 0.35:  # gate 0.35 < unlike
        return "other"
    if pairwise_distances(queries, texts, metric="cosine").min() > 0.6:  # gate 0.6 > unlike
        return "other"
    return gram[0][0] >= 0.75  # gate 0.75 >= alike


def sentences(a, b):
    if cs(a, b) > 0.83:  # gate 0.83 > alike
        return 1
    if util.dot_score(a, b).item() <= 0.5:  # gate 0.5 <= unlike
        return 2
    found = pytorch_cos_sim(a, b)[0][0]
    if found < 0.2:  # gate 0.2 < unlike
        return 3
    return float(F.pairwise_distance(a, b)) < 0.7  # gate 0.7 < alike


class Head(nn.Module):
    def __init__(self):
        self.cos = nn.CosineSimilarity(dim=1)
        self.apart = torch.nn.PairwiseDistance(p=2)
        self.rate = 0.5

    def forward(self, a, b):
        if self.apart(a, b) < 0.5:  # gate 0.5 < alike
            return 1
        if self.rate(a) < 0.5:  # no
            return 2
        return self.cos(a, b) > 0.6  # gate 0.6 > alike


def strings(a, b, names):
    if Levenshtein.normalized_distance(a, b) < 0.15:  # gate 0.15 < alike
        return 1
    if JaroWinkler.normalized_similarity(a, b) > 0.92:  # gate 0.92 > alike
        return 2
    if rapidfuzz.distance.Levenshtein.distance(a, b) <= 3:  # gate 3 <= alike
        return 3
    if lev.ratio(a, b) > 0.88:  # gate 0.88 > alike
        return 4
    if lev.distance(a, b) > 5:  # gate 5 > unlike
        return 5
    if jellyfish.damerau_levenshtein_distance(a, b) < 2:  # gate 2 < alike
        return 6
    if edit_distance(a, b) <= 2:  # gate 2 <= alike
        return 7
    if SM(None, a, b).ratio() >= 0.6:  # gate 0.6 >= alike
        return 8
    choice, points, _ = process.extractOne(a, names)
    if points < 70:  # gate 70 < unlike
        return 9
    return fuzz.WRatio(a, b) > 85  # gate 85 > alike


def others(a, b, town, shop):
    if apart(town, shop) < 20:  # no
        return 1
    if spearmanr(a, b).statistic > 0.7:  # no
        return 2
    if norm(a) > 1.5:  # no
        return 3
    if st.correlation(a, b) > 0.4:  # no
        return 4
    if math.dist(town, shop) < 2.5:  # no
        return 5
    return F.softmax(a, dim=0).max() > 0.9  # no
