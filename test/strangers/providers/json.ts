// JSON read and written again without harm: numbers that JavaScript would round or respell keep their text,
// and an object can be given the same key twice, which no JavaScript object can hold.
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** For each key that may be doubled, what its second, untrue value is; the first key found is taken. */
export type Lies = Readonly<Record<string, (truth: Json) => Json>>;

interface SourceText {
  readonly source?: string;
}

// Node 22 has both; the type library of TypeScript does not name them everywhere.
const RAW = JSON as unknown as {
  rawJSON(text: string): Json;
  isRawJSON(value: unknown): boolean;
};

const AGAIN = '~again~';

/** The value of a JSON text, or undefined for a text that is none. */
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

/** A number as it is; also one that was kept as text because it is too large or spelled unusually. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (value !== undefined && RAW.isRawJSON(value)) return Number(writeJson(value));
  return undefined;
}

/** The JSON text of a value in which one key comes twice: its true value first, an untrue one after it. */
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
