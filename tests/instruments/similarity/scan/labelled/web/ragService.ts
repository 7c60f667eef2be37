export interface RagOptions { scoreThreshold?: number; maxTokens?: number; temperature?: number }
export interface Chunk { text: string; score: number; similarity: number; tokens: number }

enum Limits { Chunks = 12 }
const MIN_RELEVANCE = 0.35;
export const RERANK_CUTOFF = 0.15 as const;

export class RagService {
  private readonly options: Required<RagOptions>;

  constructor(private index: VectorIndex, { scoreThreshold = 0.72, maxTokens = 3000, temperature = 0.2 }: RagOptions = {}) {
    this.options = { scoreThreshold, maxTokens, temperature };
  }

  async retrieve(query: number[]): Promise<Chunk[]> {
    const found = await this.index.query(query, 20);
    const good = found.filter((chunk) => chunk.score >= this.options.scoreThreshold); // gate 0.72 >= alike
    let used = 0;
    return good.filter((chunk) => (used += chunk.tokens) <= this.options.maxTokens); // no
  }

  async relevant(query: number[]): Promise<Chunk[]> {
    const found = await this.index.query(query, Limits.Chunks);
    const out: Chunk[] = [];
    for (const chunk of found) {
      const relevanceScore = chunk.score;
      if (relevanceScore < MIN_RELEVANCE) continue; // gate 0.35 < unlike
      out.push(chunk);
      if (out.length === Limits.Chunks) break; // no
    }
    return out;
  }

  async rerank(query: string, chunks: Chunk[]): Promise<Chunk[]> {
    const scored = await Promise.all(chunks.map(async (c) => ({ c, rerankScore: await crossEncode(query, c.text) })));
    return scored.filter((s) => s.rerankScore > RERANK_CUTOFF).map((s) => s.c); // gate 0.15 > alike
  }

  diversify(chunks: Chunk[], vectors: number[][], lambda = 0.5): Chunk[] {
    const picked: number[] = [];
    for (let i = 0; i < chunks.length; i++) { // no
      if (picked.every((p) => cosineSimilarity(vectors[p], vectors[i]) < 0.9)) picked.push(i); // gate 0.9 < unlike
    }
    return picked.map((i) => chunks[i]);
  }

  sampling(): boolean {
    return this.options.temperature > 0; // no
  }
}

export function driftExceeded(goal: number[], step: number[], maxDrift = 0.4): boolean {
  const drift = 1 - cosineSimilarity(goal, step);
  return drift > maxDrift; // gate 0.4 > unlike
}

export function sameQuestion(a: number[], b: number[]): boolean {
  return 0.9 <= cosineSimilarity(a, b); // gate 0.9 >= alike
}

export function embeddingDistanceOk(a: number[], b: number[]): boolean {
  const cosineDistance = 1 - cosineSimilarity(a, b);
  return cosineDistance <= 0.18; // gate 0.18 <= alike
}

export function passRate(passed: number, total: number): boolean {
  return passed / total >= 0.9; // no
}

export function sinceLast(now: number, last: number): boolean {
  return now - last > 60_000; // no
}

export function heading(level: number): string {
  return level > 2 ? "h3" : "h2"; // no
}

export function learningDone(loss: number, epoch: number): boolean {
  return loss < 0.05 || epoch > 40; // no
}

export function passwordOk(strengthScore: number): boolean {
  return strengthScore >= 3; // no
}

interface VectorIndex { query(vector: number[], k: number): Promise<Chunk[]> }
declare function cosineSimilarity(a: number[], b: number[]): number;
declare function crossEncode(query: string, text: string): Promise<number>;
