// Finds the word that a person most likely meant: the known word with the fewest typing mistakes, if their number is small
// enough.
/** Undefined if no known word is near the given word. */
export function findNearestWord(given: string, known: readonly string[]): string | undefined {
  let best: { readonly word: string; readonly mistakes: number } | undefined;
  for (const word of known) {
    const mistakes = countTypingMistakes(given, word);
    if (mistakes > allowedMistakes(word) || (best !== undefined && best.mistakes <= mistakes)) continue;
    best = { word, mistakes };
  }
  return best?.word;
}

/**
 * One mistake is allowed for every three letters, and at least one mistake. A short word with two mistakes could be any word.
 */
function allowedMistakes(word: string): number {
  return Math.max(1, Math.floor(word.length / 3));
}

/** Counts how many letters must be inserted, removed, replaced or swapped with a neighbour to turn one word into the other. */
export function countTypingMistakes(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
        swapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
