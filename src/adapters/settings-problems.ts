// Collects mistakes in the operator's settings files, each with the path of its field. A message never contains a value,
// because the value may be a key.
import { findNearestWord } from '../domain/values/nearest-word.ts';

/** An error whose message is written for the operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  /** Every line of the message begins with `file`, such as "The banks file /etc/banks.json". */
  constructor(file: string, problems: readonly string[]) {
    super(problems.map((problem) => `${file}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}

export type Path = readonly (string | number)[];

function nameOf(path: Path): string {
  if (path.length === 0) return 'The whole file';
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}

export class SettingsProblems {
  readonly found: string[];
  readonly #path: Path;
  readonly #nameOf: (path: Path) => string;

  constructor(naming = nameOf, path: Path = [], found: string[] = []) {
    this.#nameOf = naming;
    this.#path = path;
    this.found = found;
  }

  at(...steps: Path): SettingsProblems {
    return new SettingsProblems(this.#nameOf, [...this.#path, ...steps], this.found);
  }

  /** Adds a mistake. `what` is the rest of a sentence that begins with the name of this path. The full stop is added here. */
  add(what: string): void {
    this.found.push(`${this.#nameOf(this.#path)} ${what}${what.endsWith('?') ? '' : '.'}`);
  }

  /** Without this check, a setting with a mistyped name would silently have no effect. */
  refuseUnknown(fields: object, known: readonly string[]): void {
    for (const name of Object.keys(fields)) {
      if (known.includes(name)) continue;
      const what = `is not a known field.${suggestKnown(name, known)} Known fields: ${known.join(', ')}`;
      if (SHOWABLE.test(name)) this.at(name).add(what);
      else this.add(`has a field whose name cannot be shown: it ${what}`);
    }
  }
}

const SHOWABLE = /^\w{1,40}$/;

/** Returns a suggestion that begins with a space, or an empty text if no known word is near. */
export function suggestKnown(value: unknown, known: readonly string[]): string {
  const meant = typeof value === 'string' ? findNearestWord(value, known) : undefined;
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
