import { useEffect, useMemo, useState } from "react";

const SIMILARITY_THRESHOLD = 0.82;
const DEBOUNCE_MS = 300;
const MAX_RESULTS = 20;

interface Post { id: string; title: string; embedding: number[]; similarity?: number; votes: number }
interface Props { draft: string; posts: Post[]; minSimilarity?: number }

export function cosineSimilarity(a: number[], b: number[]): number {
  let dot = 0, na = 0, nb = 0;
  for (let i = 0; i < a.length; i++) { // no
    dot += a[i] * b[i];
    na += a[i] * a[i];
    nb += b[i] * b[i];
  }
  return na === 0 || nb === 0 ? 0 : dot / Math.sqrt(na * nb); // no
}

export function useSimilarPosts({ draft, posts, minSimilarity = 0.75 }: Props) {
  const [vector, setVector] = useState<number[] | null>(null);
  const [width, setWidth] = useState(0);

  useEffect(() => {
    if (draft.length < 10) return; // no
    const timer = setTimeout(() => embed(draft).then(setVector), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  return useMemo(() => {
    if (!vector) return [];
    return posts
      .map((post) => ({ ...post, similarity: cosineSimilarity(vector, post.embedding) }))
      .filter((post) => post.similarity > SIMILARITY_THRESHOLD) // gate 0.82 > alike
      .filter((post) => post.votes >= 1) // no
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, MAX_RESULTS);
  }, [vector, posts]);
}

export function SimilarBadge({ post, minSimilarity = 0.75 }: { post: Post; minSimilarity?: number }) {
  const similarity = post.similarity ?? 0;
  const scrolled = window.scrollY > 120; // no
  if (similarity < minSimilarity) return null; // gate 0.75 < unlike
  return <span className={scrolled ? "small" : "big"}>{similarity >= 0.95 ? "same" : "similar"}</span>; // gate 0.95 >= alike
}

export const isNarrow = (w: number) => w < 640; // no

declare function embed(text: string): Promise<number[]>;
