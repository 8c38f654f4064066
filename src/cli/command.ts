// What a command of the command line is, and what all commands share: reading options, printing tables, and failures
// that say what to do next.
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { StepUp } from '../domain/people/step-up.ts';
import { isMode, type Mode } from '../domain/values/mode.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../domain/values/money.ts';
import type { DescribedFoundation, Foundation } from '../wire.ts';
import { nearest } from './nearest.ts';
import type { StepUpper, Who } from './who-type.ts';

/** A failure that the operator can correct; printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The words of a command line are wrong; the usage of the command is printed with it. */
export class UsageError extends CommandError {}

export interface Terminal {
  readonly config: Config;
  readonly log: Logger;
  readonly print: (line: string) => void;
  /** Overwrites one line on a terminal; prints nothing when the output goes to a file or a pipe. */
  readonly progress: (line: string) => void;
  /**
   * Opens the database while the work runs, and starts the embedded one when it is not running. A missing database is
   * created only with `made`: the command may have been started in another directory than the service.
   */
  withFoundation<T>(
    work: (foundation: DescribedFoundation & Who) => Promise<T>,
    database?: 'there' | 'made',
  ): Promise<T>;
  /** The same with the configured networks opened, which needs the signer's keys and providers that answer. */
  /** Asks the signed-in person for a second factor for this proposal; null: no person is signed in. */
  stepUpFor(who: StepUpper, proposalId: string): Promise<StepUp | null>;
  withNetworks<T>(work: (foundation: Foundation & Who) => Promise<T>): Promise<T>;
}

export interface Command {
  /** The words that select the command, for example `vendors add`. */
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[]): Promise<void>;
}

type OptionNames = Readonly<Record<string, 'text' | 'flag'>>;

/** For commands that take any number of words. */
export const ANY_WORDS = Number.POSITIVE_INFINITY;

/**
 * Options by name, and the other words in their order. An option the command does not know is refused with the nearest
 * one, and so are more words than the command takes: nothing that was typed is ignored.
 */
export function readOptions<Names extends OptionNames>(
  args: readonly string[],
  names: Names,
  maxWords = 0,
): { options: { readonly [Name in keyof Names]?: string }; rest: readonly string[] } {
  const { tokens, positionals: rest } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(names).map(([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }]),
    ),
  });
  const options: Record<string, string> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(names, name)) throw new UsageError(unknownOption(rawName, Object.keys(names)));
    if (names[name] === 'flag') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value. Write it alone.`);
    } else if (value === undefined || (!inlineValue && value.startsWith('-'))) {
      throw new UsageError(
        `${rawName} needs a value: ${rawName} VALUE. If the value starts with -, write ${rawName}=VALUE.`,
      );
    }
    options[name] = value ?? 'true';
  }
  if (rest.length > maxWords) throw new UsageError(tooManyWords(maxWords));
  return { options: options as { [Name in keyof Names]?: string }, rest };
}

/** A long "option" may be a secret pasted by mistake: it is not repeated. */
const MAX_SHOWN_CHARACTERS = 32;

function unknownOption(rawName: string, names: readonly string[]): string {
  const known = names.map((name) => `--${name}`);
  const shown = rawName.length <= MAX_SHOWN_CHARACTERS ? ` ${rawName}` : ' of that name';
  const meant = nearest(rawName, known);
  if (meant !== undefined) return `There is no option${shown}. Did you mean ${meant}?`;
  const rest = known.length === 0 ? 'This command takes no options.' : `Known options: ${known.join(', ')}.`;
  return `There is no option${shown}. ${rest}`;
}

/** The words are not repeated: one of them may be a secret given by mistake. */
function tooManyWords(allowed: number): string {
  const most = allowed === 0 ? 'no words' : allowed === 1 ? 'one word' : `at most ${allowed} words`;
  return `There are too many words: besides its options this command takes ${most}. Write a text with spaces in quotes.`;
}

export function required(value: string | undefined, name: string): string {
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`${name} is missing.`);
}

export function modeOption(value: string | undefined): Mode {
  const mode = required(value, '--mode');
  if (isMode(mode)) return mode;
  throw new UsageError('--mode must be live or test.');
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `24h`, `7d` */
export function durationOption(value: string, name: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(value);
  if (match === null) throw new UsageError(`${name} must be a duration such as 30m, 24h or 7d.`);
  return Number(match[1]) * UNITS[match[2]!]!;
}

/** `1500`, `1500.50` */
export function nairaOption(value: string, name: string): bigint {
  const parsed = parseAmount(value, { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
  if (parsed.ok) return parsed.value;
  throw new UsageError(`${name} must be an amount in naira such as 1500 or 1500.50.`);
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
