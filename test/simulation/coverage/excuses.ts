// Reads and writes excuses.txt: the places that the seeds need not reach, and why. A paragraph is a reason, `never: …` or
// `rare: …`, followed by the names to which it applies. `never` means that no seed reaches the place. `rare` means that a seed
// reaches it now and then, but the test does not rely on this.
import { readFileSync, writeFileSync } from 'node:fs';

const LIST = new URL('excuses.txt', import.meta.url);
/** This stands for a reason that a person still has to write. */
export const UNWRITTEN = '?';

export interface Excuse {
  readonly kind: 'never' | 'rare';
  readonly reason: string;
}

export function readExcuses(text: string = readFileSync(LIST, 'utf8')): ReadonlyMap<string, Excuse> {
  const excuses = new Map<string, Excuse>();
  let excuse: Excuse | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [, kind, reason] = /^(never|rare): *(.*)$/.exec(line) ?? [];
    if (kind !== undefined) excuse = { kind: kind as Excuse['kind'], reason: reason! };
    else if (excuse === null || !line.startsWith('  '))
      throw new Error(`excuses.txt, line ${index + 1}: neither a reason nor, indented, a name: ${line}`);
    else if (excuses.has(line.trim())) throw new Error(`excuses.txt excuses twice: ${line.trim()}`);
    else excuses.set(line.trim(), excuse);
  }
  return excuses;
}

export function isWritten({ reason }: Excuse): boolean {
  return reason !== '' && reason !== UNWRITTEN;
}

const HEAD = `# What the seeds of the coverage test need not reach, and why. excuses.ts says how to read it;
# \`npm run simulate -- --coverage --write\` makes it anew, keeps the reasons and puts a ? where one is missing.
`;

/** The file keeps the reasons, and the names of each reason, in their original order. */
export function excusesText(excuses: ReadonlyMap<string, Excuse>): string {
  const groups = new Map<string, string[]>();
  for (const [name, { kind, reason }] of excuses) {
    const heading = `${kind}: ${reason}`;
    groups.set(heading, [...(groups.get(heading) ?? []), name]);
  }
  const paragraphs = [...groups].map(
    ([heading, names]) => `${heading}\n${names.map((name) => `  ${name}\n`).join('')}`,
  );
  return [HEAD, ...paragraphs].join('\n');
}

export function writeExcuses(excuses: ReadonlyMap<string, Excuse>): void {
  writeFileSync(LIST, excusesText(excuses));
}
