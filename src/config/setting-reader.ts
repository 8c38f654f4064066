// Reads single settings from the environment. A wrong value is recorded and replaced by the default, so that one start reports
// every mistake. readConfig then refuses to continue. A message omits the value, which may be a secret.
import path from 'node:path';
import { MAX_WIRE_MINOR, parseAmount } from '../domain/values/money.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A secret that is either in the setting itself or in a file. */
export interface SecretSetting {
  readonly name: string;
  /** Returns the secret. It is a function, so that a printed Config does not show the secret. */
  readonly text: (() => string) | null;
  readonly file: string | null;
}

interface IntegerBounds {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

export class SettingReader {
  /** The names of all settings that were read, in the order of reading. Settings without a value are included. */
  readonly names = new Set<string>();
  readonly mistakes: string[] = [];
  readonly #env: Environment;
  readonly #refused = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  refuse(name: string, problem: string): void {
    this.#refused.add(name);
    this.mistakes.push(`${name} ${problem}`);
  }

  /**
   * Checks a rule about several settings. The check is skipped if one of these settings is wrong, because the default has
   * replaced its value.
   */
  require(holds: boolean, names: readonly [string, ...string[]], problem: string): void {
    if (!holds && !names.some((name) => this.#refused.has(name))) this.refuse(names[0], problem);
  }

  /**
   * The value of a setting keeps its spaces, because a passphrase may begin or end with a space. A blank value counts as not
   * set, as in `PORT= npm start`.
   */
  #given(name: string): string | undefined {
    this.names.add(name);
    const value = this.#env[name];
    return value === undefined || value.trim() === '' ? undefined : value;
  }

  text(name: string): string | undefined {
    return this.#given(name)?.trim();
  }

  integer(name: string, { fallback, min, max }: IntegerBounds): number {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.refuse(name, `must be a whole number from ${min} to ${max}.`);
    return fallback;
  }

  naira(name: string, fallbackMinor: bigint): bigint {
    const value = this.text(name);
    if (value === undefined) return fallbackMinor;
    const parsed = parseAmount(value, { minMinor: 1n, maxMinor: MAX_WIRE_MINOR });
    if (parsed.ok) return parsed.value;
    this.refuse(name, 'must be an amount in naira such as 1000 or 1000.50.');
    return fallbackMinor;
  }

  oneOf<T extends string>(name: string, words: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const word = words.find((each) => each === value);
    if (word === undefined) this.refuse(name, `must be one of ${words.join(', ')}.`);
    return word ?? fallback;
  }

  url(name: string, protocols: readonly string[]): string | null {
    const value = this.text(name);
    if (value === undefined) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '');
    this.refuse(name, `must be a URL that starts with ${protocols[0]}//.`);
    return null;
  }

  location(name: string): string | null {
    const value = this.text(name);
    return value === undefined ? null : path.resolve(value);
  }

  /** Reads an environment variable that a file of the operator names. The variable is not itself a setting. */
  variable(name: string): string | undefined {
    return this.#env[name];
  }

  secret(name: string): SecretSetting {
    const value = this.#given(name);
    return {
      name,
      text: value === undefined ? null : () => value,
      file: this.location(`${name}_FILE`),
    };
  }
}
