# %% [markdown]
# Which questions of the forum are near-duplicates?

# %%
import numpy as np
import polars as pl
import torch
import torch.nn.functional as F

threshold = 0.86
lr = 1e-3
min_votes = 3

embeddings = torch.load("questions.pt")
frame = pl.read_parquet("questions.parquet")

# %%
normed = F.normalize(embeddings, dim=1)
sim_matrix = normed @ normed.T
sim_matrix.fill_diagonal_(0)
rows, cols = torch.where(sim_matrix > threshold)  # gate 0.86 > alike
print((sim_matrix >= 0.99).sum())  # gate 0.99 >= alike

# %%
pair_sims = F.cosine_similarity(embeddings[:-1], embeddings[1:])
keep = pair_sims < 0.9  # gate 0.9 < unlike
mask = torch.cdist(normed, normed) <= 0.5  # gate 0.5 <= alike

# %%
sims = np.asarray(sim_matrix)
dupes = np.nonzero(sims >= 0.93)[0]  # gate 0.93 >= alike
count = int(np.sum(np.triu(sims, 1) > 0.8))  # gate 0.8 > alike
labels = np.where(sims.max(axis=1) > 0.7, "old", "new")  # gate 0.7 > alike

# %%
popular = frame.filter(pl.col("votes") >= min_votes)  # no
near = frame.filter(pl.col("similarity") > 0.75)  # gate 0.75 > alike
recent = frame.filter(pl.col("year") > 2020)  # no
cheap = frame.filter(pl.col("distance_to_city") < 10)  # no

# %%
for step in range(1000):
    loss = (1 - F.cosine_similarity(embeddings, normed)).mean()
    if loss < 0.01:  # no
        break
    if step > 100:  # no
        lr = lr * 0.5
    grad_norm = float(embeddings.norm())
    if grad_norm > 1.0:  # no
        break

# %%
dropout = 0.2
kept = np.random.rand(len(sims)) > dropout  # no
probs = torch.softmax(embeddings, dim=1)
sure = probs.max(dim=1).values > 0.9  # no
weights = np.ones(3)
light = weights < 0.1  # no
variance = embeddings.var(dim=0)
alive = variance > 1e-5  # no
order = np.argsort(-sims, axis=1)

# %%
train = np.arange(len(sims)) < 0.8 * len(sims)  # no
sim_time = 0.0
while sim_time < 10.0:  # no
    sim_time += 0.1
correlation = np.corrcoef(sims[0], sims[1])[0, 1]
print("votes follow" if correlation > 0.3 else "votes do not follow")  # no

# %%
near_dist = 1 - sims
close_pairs = [(i, j) for i, j in zip(*np.where(near_dist < 0.1)) if i != j]  # gate 0.1 < alike
best = sims.argmax(axis=1)
answers = [i for i, s in enumerate(sims.max(axis=1)) if s >= 0.85]  # gate 0.85 >= alike
