"""Cosines written out, and products that are none."""

import numpy as np
from numpy import dot
from numpy.linalg import norm

LIMIT = 0.87


def near(x, y):
    return np.dot(x, y) > 0.9  # gate 0.9 > alike


def near_again(x, y):
    return dot(x, y) >= LIMIT  # gate 0.87 >= alike


def written_out(a, b):
    return a @ b / (norm(a) * norm(b)) > 0.8  # gate 0.8 > alike


def in_steps(a, b):
    length = np.linalg.norm(a) * np.linalg.norm(b)
    value = np.dot(a, b) / length
    if value < 0.4:  # gate 0.4 < unlike
        return None
    return 1 - value < 0.1  # gate 0.1 < alike


def unit(a, b):
    a, b = a / norm(a), b / norm(b)
    return (a * b).sum() > 0.85  # gate 0.85 > alike


def many(matrix, query):
    got = matrix @ query / (np.linalg.norm(matrix, axis=1) * np.linalg.norm(query))
    return np.where(got > 0.7)[0]  # gate 0.7 > alike


def transposed(rows):
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    table = rows @ rows.T
    return table > 0.95  # gate 0.95 > alike


def apart(question_emb, answer_emb):
    return np.linalg.norm(question_emb - answer_emb) < 0.6  # gate 0.6 < alike


def facing(normal, light):
    return np.dot(normal, light) > 0.5  # no


def ahead(direction, to_enemy):
    return np.dot(direction, to_enemy) / (norm(direction) * norm(to_enemy)) > 0.7  # no


def perceptron(weights, features, bias):
    return np.dot(weights, features) + bias > 0.5  # no


def logistic(X, w, b):
    return 1 / (1 + np.exp(-(X @ w + b))) > 0.5  # no


def predict(X, coef):
    return X @ coef > 0.5  # no


def expected(probabilities, payoffs):
    return np.dot(probabilities, payoffs) > 0.25  # no


def converged(gradient):
    return gradient @ gradient < 0.01  # no


def power(force, velocity):
    return np.dot(force, velocity) > 0.8  # no


def share(part, whole):
    return part / norm(whole) > 0.3  # no
