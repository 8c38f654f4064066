// Reads and writes JSON without changes. Numbers that JavaScript would round or rewrite keep their text. An object can have the
// same key twice, which no JavaScript object can.
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Computes the second, false value of each key that may be repeated. The first of these keys in a response is repeated. */
export type Lies = Readonly<Record<string, (truth: Json) => Json>>;

interface SourceText {
  readonly source?: string;
}

// Node 22 has both methods, but not all TypeScript type libraries declare them.
const RAW = JSON as unknown as {
  rawJSON(text: string): Json;
  isRawJSON(value: unknown): boolean;
};

const AGAIN = '~again~';

export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text, keepNumber as (key: string, value: unknown) => unknown) as Json;
  } catch {
    return undefined;
  }
}

function keepNumber(_key: string, value: Json, context?: SourceText): Json {
  const source = context?.source;
  return typeof value !== 'number' || source === undefined || String(value) === source
    ? value
    : RAW.rawJSON(source);
}

export function writeJson(value: Json): string {
  return JSON.stringify(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !RAW.isRawJSON(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns an ordinary number, or a number that was kept as text because it is too large or has an unusual notation. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (value !== undefined && RAW.isRawJSON(value)) return Number(writeJson(value));
  return undefined;
}

/** Writes the value as JSON in which one key occurs twice: first with its true value, then with a false one. */
export function writeDoubled(value: Json, lies: Lies, onlyKey?: string): string | undefined {
  for (const [key, lie] of Object.entries(lies)) {
    if (onlyKey !== undefined && key !== onlyKey) continue;
    const doubled = doubleFirst(value, key, lie);
    if (doubled !== undefined) return writeJson(doubled).replace(`${AGAIN}":`, '":');
  }
  return undefined;
}

function doubleFirst(value: Json, key: string, lie: (truth: Json) => Json): Json | undefined {
  if (isList(value)) {
    for (const [at, entry] of value.entries()) {
      const changed = doubleFirst(entry, key, lie);
      if (changed !== undefined) return value.with(at, changed);
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const truth = value[key];
  if (truth !== undefined) {
    const entries = Object.entries(value);
    const at = entries.findIndex(([name]) => name === key);
    return Object.fromEntries(entries.toSpliced(at + 1, 0, [`${key}${AGAIN}`, lie(truth)]));
  }
  for (const [name, entry] of Object.entries(value)) {
    const changed = doubleFirst(entry, key, lie);
    if (changed !== undefined) return { ...value, [name]: changed };
  }
  return undefined;
}
