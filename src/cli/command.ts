// What a command of the command line is, and the small language they share: options, tables, durations, failures that
// say what to do.
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isMode, type Mode } from '../domain/values/mode.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../domain/values/money.ts';
import type { DescribedFoundation, Foundation } from '../wire.ts';

/** A failure the person at the keyboard can do something about; printed without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface Terminal {
  readonly config: Config;
  readonly log: Logger;
  readonly print: (line: string) => void;
  /** Overwrites one line on a terminal; silent when nobody watches. */
  readonly progress: (line: string) => void;
  /**
   * Opens the database for the length of the work; starts the embedded one when nobody runs it. Where there is none it is made
   * only when that was asked for: in another directory than the service's own nothing would fit.
   */
  withFoundation<T>(
    work: (foundation: DescribedFoundation & { readonly actor: string }) => Promise<T>,
    database?: 'there' | 'made',
  ): Promise<T>;
  /** The same with the configured networks opened: it needs the signer's keys, and providers that answer. */
  withNetworks<T>(work: (foundation: Foundation & { readonly actor: string }) => Promise<T>): Promise<T>;
}

export interface Command {
  /** The words that select it, e.g. `vendors add`. */
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[]): Promise<void>;
}

type OptionNames = Readonly<Record<string, 'text' | 'flag'>>;

/** Options by name and the rest as positionals; an unknown option is an error that names itself. */
export function readOptions<Names extends OptionNames>(
  args: readonly string[],
  names: Names,
): { options: { readonly [Name in keyof Names]?: string }; rest: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(names).map(([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }]),
      ),
    });
    const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    return { options: options as { [Name in keyof Names]?: string }, rest: positionals };
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

export function required(value: string | undefined, name: string): string {
  if (value !== undefined && value !== '') return value;
  throw new CommandError(`${name} is missing.`);
}

export function modeOption(value: string | undefined): Mode {
  const mode = required(value, '--mode');
  if (isMode(mode)) return mode;
  throw new CommandError('--mode must be live or test.');
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `24h`, `7d` */
export function durationOption(value: string, name: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(value);
  if (match === null) throw new CommandError(`${name} must be a duration such as 30m, 24h or 7d.`);
  return Number(match[1]) * UNITS[match[2]!]!;
}

/** `1500`, `1500.50` */
export function nairaOption(value: string, name: string): bigint {
  const parsed = parseAmount(value, { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
  if (parsed.ok) return parsed.value;
  throw new CommandError(`${name} must be an amount in naira such as 1500 or 1500.50.`);
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
