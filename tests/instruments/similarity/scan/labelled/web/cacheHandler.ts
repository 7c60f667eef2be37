import express, { Request, Response } from "express";
import { z } from "zod";

const CACHE_THRESHOLD = parseFloat(process.env.CACHE_THRESHOLD ?? "0.9");
const MAX_DISTANCE = Number(process.env.MAX_DISTANCE || 0.2);
const RATE_LIMIT = 100;

const config = {
  similarityThreshold: 0.88,
  routeThreshold: 0.5,
  maxBodyBytes: 65_536,
  timeoutMs: 5_000,
};

interface Hit { answer: string; score: number; distance: number; createdAt: number }

export class SemanticCache {
  private readonly threshold: number = 0.85;
  static readonly FLOOR = 0.6;
  private hits = 0;
  private calls = 0;

  constructor(private store: Store, private readonly maxDistance = 0.25) {}

  async get(vector: number[]): Promise<string | null> {
    const [hit] = await this.store.search(vector, 1);
    if (!hit) return null;
    this.calls++;
    if (hit.score >= this.threshold) { // gate 0.85 >= alike
      this.hits++;
      return hit.answer;
    }
    return null;
  }

  async getByDistance(vector: number[]): Promise<string | null> {
    const [hit] = await this.store.search(vector, 1);
    if (hit.distance > this.maxDistance) return null; // gate 0.25 > unlike
    return hit.answer;
  }

  async getAll(vector: number[]): Promise<Hit[]> {
    const hits = await this.store.search(vector, 10);
    return hits.filter(({ score }) => score > SemanticCache.FLOOR); // gate 0.6 > alike
  }

  healthy(): boolean {
    return this.calls < 100 || this.hits / this.calls > 0.2; // no
  }
}

export async function handler(req: Request, res: Response, cache: SemanticCache, store: Store) {
  const body = JSON.stringify(req.body);
  if (body.length > config.maxBodyBytes) return res.status(413).end(); // no
  const vector = await embedText(req.body.prompt);
  const matches = await store.search(vector, 5);
  const best = matches[0];
  if (best && best.score > CACHE_THRESHOLD) { // gate 0.9 > alike
    return res.json({ answer: best.answer, cached: true });
  }
  const near = matches.find((m) => m.distance <= MAX_DISTANCE); // gate 0.2 <= alike
  if (near) return res.json({ answer: near.answer });
  const similarity = dotProduct(vector, await embedText("reset my password"));
  if (similarity >= config.similarityThreshold) { // gate 0.88 >= alike
    return res.json({ route: "password" });
  }
  const routeScore = cosineSim(vector, await embedText("billing"));
  if (!(routeScore < config.routeThreshold)) { // gate 0.5 < unlike
    return res.json({ route: "billing" });
  }
  if (Date.now() - best.createdAt > config.timeoutMs) return res.status(504).end(); // no
  return res.status(404).end();
}

export function limited(count: number): boolean {
  return count >= RATE_LIMIT; // no
}

export function okStatus(status: number): boolean {
  return status >= 200 && status < 300; // no
}

export const schema = z.object({ threshold: z.number().min(0).max(1).default(0.9) });

export function validThreshold(threshold: number): number {
  if (threshold < 0 || threshold > 1) throw new RangeError("threshold lies in [0, 1]"); // no
  return threshold;
}

interface Store { search(vector: number[], k: number): Promise<Hit[]> }
declare function embedText(text: string): Promise<number[]>;
declare function dotProduct(a: number[], b: number[]): number;
declare function cosineSim(a: number[], b: number[]): number;
