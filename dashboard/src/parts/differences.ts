// Which characters of a text another one has in the same order (the longest common subsequence), without regard to case.

export interface Part {
  readonly part: string;
  readonly same: boolean;
}

/** Longer texts are compared as a whole: no one compares 300 characters by eye, and the table grows with the square. */
const LONGEST = 200;

export function differences(text: string, other: string): readonly Part[] {
  const [a, b] = [[...text], [...other]];
  if (a.length > LONGEST || b.length > LONGEST) return [{ part: text, same: text === other }];
  const common = commonIn(a, b);
  const parts: { part: string; same: boolean }[] = [];
  for (const [index, letter] of a.entries()) {
    const same = common[index]!;
    const last = parts.at(-1);
    if (last !== undefined && last.same === same) last.part += letter;
    else parts.push({ part: letter, same });
  }
  return parts;
}

function commonIn(a: readonly string[], b: readonly string[]): readonly boolean[] {
  const equal = (i: number, j: number) => a[i]!.toLowerCase() === b[j]!.toLowerCase();
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = equal(i, j)
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const common = new Array<boolean>(a.length).fill(false);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (equal(i, j)) {
      common[i++] = true;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return common;
}
