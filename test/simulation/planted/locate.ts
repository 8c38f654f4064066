// Finds the declaration and the place of the snippet that a patch names. If a name or snippet is missing or ambiguous, the
// error shows where to look: the nearest line, similar names, and other functions that contain the snippet.
import type { Change, Patch } from './patch.ts';
import { type Declaration, declarationsIn, declarationsNamed, type Sources } from './sources.ts';
import { findTokens, type Token, tokensOf } from './tokens.ts';

const SUGGESTIONS = 3;

export function locate(sources: Sources, patch: Patch): Declaration {
  const named = declarationsNamed(sources, patch.in);
  const fitting = named.filter(({ file }) => fits(sources, file, patch));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const files = listed((only === undefined ? named : fitting).map(({ file }) => file));
  if (only !== undefined) throw new Error(`declared in ${files}: say which one with beside or folder`);
  if (named.length > 0) throw new Error(`not declared ${described(patch)}, but in ${files}`);
  const similar = `no function or constant has this name; similar: ${similarNames(sources, patch.in)}`;
  if (!('find' in patch)) throw new Error(similar);
  throw new Error(`${similar}\n  ${elsewhere(sources, tokensOf(patch.find), undefined)}`);
}

function fits(sources: Sources, file: string, { beside, folder }: Patch): boolean {
  if (folder !== undefined && !`/${file}`.includes(`/${folder}/`)) return false;
  return beside === undefined || declarationsIn(file, sources.get(file)!).some(({ name }) => name === beside);
}

function described({ beside, folder }: Patch): string {
  const hints = [
    ...(beside === undefined ? [] : [`beside ${beside}`]),
    ...(folder === undefined ? [] : [`in a folder ${folder}`]),
  ];
  return hints.join(' and ');
}

export interface Found {
  readonly start: number;
  readonly end: number;
  readonly before: string | undefined;
}

export function locateSnippet(sources: Sources, declaration: Declaration, { find }: Change): Found {
  const text = sources.get(declaration.file)!;
  const tokens = tokensOf(text, declaration.start, declaration.end);
  const snippet = tokensOf(find);
  const [at, ...others] = findTokens(tokens, snippet);
  const quoted = `\`${find.replaceAll(/\s+/g, ' ').trim()}\``;
  if (snippet.length === 0) throw new Error('the snippet to find is empty');
  if (at === undefined)
    throw new Error(
      `not found: ${quoted}\n  ${nearest(text, tokens, snippet)}\n  ${elsewhere(sources, snippet, declaration)}`,
    );
  if (others.length > 0) {
    const lines = [at, ...others].map((each) => lineNumber(text, tokens[each]!.start));
    throw new Error(
      `found ${lines.length} times, in lines ${lines.join(', ')}: ${quoted}\n  make the snippet longer`,
    );
  }
  const last = tokens[at + snippet.length - 1]!;
  return { start: tokens[at]!.start, end: last.end, before: tokens[at - 1]?.text };
}

function nearest(text: string, tokens: readonly Token[], snippet: readonly Token[]): string {
  let best = { common: -1, at: 0 };
  const wanted = snippet.map((token) => token.text);
  for (let at = 0; at < tokens.length; at++) {
    const there = tokens.slice(at, at + wanted.length).map((token) => token.text);
    const common = wanted.filter((word, index) => there[index] === word || there.includes(word)).length;
    const score = common + (there[0] === wanted[0] ? 0.5 : 0);
    if (score > best.common) best = { common: score, at };
  }
  const from = tokens[best.at]!.start;
  const differs = wanted.findIndex((word, index) => tokens[best.at + index]?.text !== word);
  const there = tokens[best.at + differs]?.text ?? 'the end of the function';
  const difference = differs > 0 ? ` (has ${there} where the snippet has ${wanted[differs]})` : '';
  return `nearest: line ${lineNumber(text, from)}: ${lineAt(text, from)}${difference}`;
}

function elsewhere(sources: Sources, snippet: readonly Token[], but: Declaration | undefined): string {
  const found = [...sources].flatMap(([file, text]) => {
    const tokens = tokensOf(text);
    const places = findTokens(tokens, snippet).map((at) => tokens[at]!.start);
    if (places.length === 0) return [];
    return declarationsIn(file, text)
      .filter(({ start, end }) => places.some((place) => start <= place && place < end))
      .filter(({ name }) => file !== but?.file || name !== but.name)
      .map(({ name }) => `${name} (${file})`);
  });
  if (found.length === 0) return 'no other function contains the snippet';
  return `the snippet stands in ${listed(found)}`;
}

function similarNames(sources: Sources, name: string): string {
  const names = new Set(
    [...sources].flatMap(([file, text]) => declarationsIn(file, text).map((each) => each.name)),
  );
  const byDistance = [...names].toSorted((a, b) => distance(a, name) - distance(b, name));
  return byDistance.slice(0, SUGGESTIONS).join(', ');
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a.toLowerCase()].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b.toLowerCase()].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

function listed(names: readonly string[]): string {
  const more = names.length - SUGGESTIONS;
  return names.slice(0, SUGGESTIONS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function lineAt(text: string, at: number): string {
  return text.split('\n')[lineNumber(text, at) - 1]!.trim();
}
