// Defines the type of a command and the parts that all commands share. A command declares its arguments and options as data,
// prints text for people, and returns the JSON for --json. A command that returns no JSON does not compile.
import type { Logger } from 'pino';
import type { PeopleDeps } from '../app/people/people-deps.ts';
import type { SignedInSession } from '../app/people/sessions.ts';
import type { Config } from '../config.ts';
import type { StepUp } from '../domain/people/people-needed.ts';
import { MODES } from '../domain/values/mode.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../domain/values/money.ts';
import type { DescribedFoundation, Foundation } from '../wire/foundation.ts';
import { UsageError } from './terminal/command-error.ts';
import type { Json } from './terminal/json.ts';
import {
  type DeclaredArguments,
  type GivenArguments,
  type OptionTable,
  readArguments,
  type WordTable,
} from './terminal/options.ts';
import { formatTable, type Paint } from './terminal/table.ts';

export interface TerminalUser {
  /** The actor for records: the id of the signed-in person, or `os:NAME`. */
  readonly actor: string;
  /** The signed-in person; null if no person is signed in on this terminal. */
  readonly signedIn: SignedInSession | null;
}

export interface StepUpUser extends Pick<TerminalUser, 'signedIn'> {
  readonly people: PeopleDeps;
}

export interface Terminal {
  readonly config: Config;
  readonly log: Logger;
  /**
   * Prints text for people on standard output. With --json it prints nothing, because only the result of the command is
   * printed.
   */
  readonly print: (line: string) => void;
  /** Prints news and instructions for people on standard error while the command runs, also with --json. */
  readonly note: (line: string) => void;
  readonly json: boolean;
  /** Prints one line of JSON. Only a command that runs until it is stopped uses this, and only with --json. */
  readonly emit: (line: Json) => void;
  /** Colours text on a terminal. Undefined: the text stays plain. */
  readonly paint?: Paint;
  /** Ctrl-C aborts this signal. A command that listens to this signal ends itself, with the exit code of an interruption. */
  readonly interrupted: AbortSignal;
  /** Shows progress by overwriting one line on a terminal; prints nothing to a file or a pipe. */
  readonly progress: (line: string) => void;
  /**
   * Opens the database while `work` runs, and starts the embedded database if necessary. A missing database is created only
   * with `made`, because the operator may have started the command in a wrong directory.
   */
  withFoundation<T>(
    work: (foundation: DescribedFoundation & TerminalUser) => Promise<T>,
    database?: 'there' | 'made',
  ): Promise<T>;
  /** Asks the signed-in person for a second factor for this proposal. Null: no person is signed in. */
  stepUpFor(who: StepUpUser, proposalId: string): Promise<StepUp | null>;
  /**
   * The same as withFoundation, but with the configured networks open. It needs the signer's keys, and providers that respond.
   */
  withNetworks<T>(work: (foundation: Foundation & TerminalUser) => Promise<T>): Promise<T>;
}

export const STREAMED_ANSWER = Symbol('streamed');

export type CommandAnswer = Json | typeof STREAMED_ANSWER;

export interface Command extends DeclaredArguments {
  readonly name: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[]): Promise<CommandAnswer>;
}

interface CommandDefinition<Words extends WordTable, Options extends OptionTable> {
  readonly name: string;
  readonly summary: string;
  readonly words?: Words;
  readonly options?: Options;
  run(terminal: Terminal, given: GivenArguments<Words, Options>): Promise<CommandAnswer>;
}

export function defineCommand<
  const Words extends WordTable = readonly [],
  const Options extends OptionTable = Readonly<Record<never, never>>,
>(definition: CommandDefinition<Words, Options>): Command {
  const { name, summary } = definition;
  const declared = { words: definition.words ?? [], options: definition.options ?? {} };
  return {
    ...{ name, summary, ...declared },
    run: async (terminal, args) =>
      definition.run(terminal, readArguments(args, declared as DeclaredArguments<Words, Options>)),
  };
}

export function printTable(
  terminal: Pick<Terminal, 'print' | 'paint'>,
  rows: readonly (readonly string[])[],
): void {
  terminal.print(formatTable(rows, terminal.paint));
}

export const MODE = { choices: MODES, about: 'only live or only test' } as const;
export const REQUIRED_MODE = { choices: MODES, needed: true, about: 'live or test' } as const;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `30m`, `24h` or `7d`. */
export function durationOption(value: string, name: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(value);
  if (match === null) throw new UsageError(`${name} must be a duration such as 30m, 24h or 7d.`);
  return Number(match[1]) * UNITS[match[2]!]!;
}

/** Parses `1500` or `1500.50`. */
export function nairaOption(value: string, name: string): bigint {
  const parsed = parseAmount(value, { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
  if (parsed.ok) return parsed.value;
  throw new UsageError(`${name} must be an amount in naira such as 1500 or 1500.50.`);
}

export function bpsOption(value: string, name: string): number {
  if (/^\d{1,5}$/.test(value)) return Number(value);
  throw new UsageError(`${name} must be a whole number of basis points, for example 50 (0.5 %).`);
}

export function isoTimeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
