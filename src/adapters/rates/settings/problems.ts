// Mistakes in RATES_FILE. All of them are collected, each with the path of its field; a value is never repeated, because it may
// be a key.

/** The messages are for the operator. */
export class RateSettingsError extends Error {
  override readonly name = 'RateSettingsError';
  /** One sentence each. */
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(problems.map((problem) => `The rates file ${file}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

const SHOWABLE = /^\w{1,40}$/;

export class Problems {
  readonly found: string[] = [];

  add(path: string, what: string): void {
    this.found.push(`${path} ${what}.`);
  }

  /** The object at a path; undefined, with the mistake noted, when it is none or has a field that is not known. */
  object(value: unknown, path: string, known: readonly string[]): Fields | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.add(path, 'must be an object { … }');
      return undefined;
    }
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const shown = SHOWABLE.test(name) ? under(path, name) : `A field of ${path} whose name cannot be shown`;
      this.add(shown, `is not a known field. Known fields: ${known.join(', ')}`);
    }
    return value as Fields;
  }

  text(
    fields: Fields,
    path: string,
    name: string,
    rule: { readonly pattern: RegExp; readonly what: string },
  ): string {
    const value = this.given(fields, path, name);
    if (value === undefined) return '';
    if (typeof value === 'string' && rule.pattern.test(value)) return value;
    this.add(under(path, name), `must be ${rule.what}`);
    return '';
  }

  whole(
    fields: Fields,
    path: string,
    name: string,
    [min, max]: readonly [number, number],
    fallback?: number,
  ): number {
    const value = fallback === undefined ? this.given(fields, path, name) : (fields[name] ?? fallback);
    if (value === undefined) return min;
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
      return value as number;
    this.add(under(path, name), `must be a whole number from ${min} to ${max}, without quotes`);
    return min;
  }

  /** `30s`, `4d`, in milliseconds. */
  duration(
    fields: Fields,
    path: string,
    name: string,
    [shortest, longest]: readonly [string, string],
  ): number | undefined {
    const value = this.given(fields, path, name);
    if (value === undefined) return undefined;
    const [least, most] = [durationMs(shortest)!, durationMs(longest)!];
    const ms = typeof value === 'string' ? durationMs(value) : undefined;
    if (ms !== undefined && ms >= least && ms <= most) return ms;
    this.add(
      under(path, name),
      `must be a duration from "${shortest}" to "${longest}", such as "30s", "5m", "26h" or "4d"`,
    );
    return undefined;
  }

  private given(fields: Fields, path: string, name: string): unknown {
    if (fields[name] === undefined) this.add(under(path, name), 'is missing');
    return fields[name];
  }
}

export function under(path: string, name: string): string {
  return path === WHOLE_FILE ? name : `${path}.${name}`;
}

/** The path of the outermost object. */
export const WHOLE_FILE = 'The whole file';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationMs(text: string): number | undefined {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * UNIT_MS[match[2]!]!;
}
