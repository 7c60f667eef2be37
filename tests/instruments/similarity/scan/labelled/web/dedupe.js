const stringSimilarity = require("string-similarity");
const { distance } = require("fastest-levenshtein");

const DEFAULTS = { threshold: 0.8, batchSize: 50 };
const TITLE_LIMIT = 0.7;

function isSameTitle(a, b) {
  return stringSimilarity.compareTwoStrings(a, b) >= TITLE_LIMIT; // gate 0.7 >= alike
}

function isTypo(a, b) {
  return distance(a, b) <= 2; // gate 2 <= alike
}

function dedupe(items, threshold = 0.9) {
  const kept = [];
  for (const item of items) {
    const duplicate = kept.some((k) => cosine(k.vector, item.vector) > threshold); // gate 0.9 > alike
    if (!duplicate) kept.push(item);
    if (kept.length >= 1000) break; // no
  }
  return kept;
}

function nearest(items, vector) {
  let best = null;
  let bestScore = -Infinity;
  for (const item of items) {
    const score = cosine(item.vector, vector);
    if (score > bestScore) { // no
      bestScore = score;
      best = item;
    }
  }
  return bestScore > 0.65 ? best : null; // gate 0.65 > alike
}

function withOptions(a, b, options = {}) {
  const { threshold = 0.78 } = options;
  const similarity = cosine(a, b);
  return similarity >= threshold; // gate 0.78 >= alike
}

function withDefaults(a, b) {
  const jaccard = jaccardIndex(a, b);
  return jaccard > DEFAULTS.threshold; // gate 0.8 > alike
}

function jaccardIndex(a, b) {
  const inter = a.filter((x) => b.includes(x)).length;
  const union = new Set([...a, ...b]).size;
  return union > 0 ? inter / union : 1; // no
}

function cosine(a, b) {
  return a.reduce((s, x, i) => s + x * b[i], 0);
}

function bestMatch(name, names) {
  const { bestMatch: hit } = stringSimilarity.findBestMatch(name, names);
  if (hit.rating < 0.5) return null; // gate 0.5 < unlike
  return hit.target;
}

async function retry(fn, attempts = 3) {
  for (let i = 0; i < attempts; i++) { // no
    try { return await fn(); } catch (e) { if (i >= attempts - 1) throw e; } // no
  }
}

function withinKm(a, b) {
  const distanceKm = haversine(a, b);
  return distanceKm < 5; // no
}

function haversine(a, b) { return Math.hypot(a.lat - b.lat, a.lon - b.lon) * 111; }

function swiped(dx, dragDistance) {
  return Math.abs(dx) > 40 || dragDistance > 100; // no
}

function confident(prediction) {
  return prediction.confidence > 0.8 && prediction.probability >= 0.5; // no
}

module.exports = { isSameTitle, isTypo, dedupe, nearest, withOptions, withDefaults, bestMatch, retry, withinKm, swiped, confident };
