// The frame of every command that calls the API of a service. It adds the options for the service, connects before the command
// runs, and turns failures of the API into messages and exit codes.
import {
  SliproadApiError,
  SliproadArgumentError,
  SliproadConnectionError,
  SliproadError,
  SliproadTimeoutError,
} from '../../../sdk/src/index.ts';
import { type Command, type CommandAnswer, defineCommand, type Terminal } from '../command.ts';
import { CommandError, type ExitWord, UsageError } from '../terminal/command-error.ts';
import type { GivenArguments, OptionTable, WordTable } from '../terminal/options.ts';
import {
  type ConnectedService,
  connectService,
  SERVICE_OPTIONS,
  type ServiceAccessOptions,
} from './service.ts';

interface ClientDefinition<Words extends WordTable, Options extends OptionTable> {
  readonly name: string;
  readonly summary: string;
  readonly words?: Words;
  readonly options?: Options;
  run(
    terminal: Terminal,
    service: ConnectedService,
    given: GivenArguments<Words, Options>,
  ): Promise<CommandAnswer>;
}

export function defineClientCommand<
  const Words extends WordTable = readonly [],
  const Options extends OptionTable = Readonly<Record<never, never>>,
>(definition: ClientDefinition<Words, Options>): Command {
  const { name, summary, words, options } = definition;
  return defineCommand({
    name,
    summary,
    words: words ?? ([] as WordTable),
    options: { ...(options as OptionTable | undefined), ...SERVICE_OPTIONS },
    run: (terminal, given) =>
      withService(terminal, given.options, (service) => definition.run(terminal, service, given as never)),
  });
}

export async function withService<Value>(
  terminal: Terminal,
  options: ServiceAccessOptions,
  work: (service: ConnectedService) => Promise<Value>,
): Promise<Value> {
  try {
    return await work(connectService(terminal, options));
  } catch (error) {
    throw toCommandError(error);
  }
}

function toCommandError(error: unknown): unknown {
  if (!(error instanceof SliproadError)) return error;
  const fields = error.errors.filter(({ message }) => !error.message.includes(message));
  const lines = [error.message, ...fields.map(({ field, message }) => `  ${field}: ${message}`)];
  if (error.requestId !== undefined) lines.push(`  request ${error.requestId}`);
  return new CommandError(lines.join('\n'), exitWordOf(error));
}

const BY_STATUS: Readonly<Record<number, ExitWord>> = {
  400: 'usage',
  401: 'not_allowed',
  403: 'not_allowed',
  404: 'not_found',
  409: 'conflict',
  422: 'usage',
  429: 'unreachable',
  503: 'unreachable',
};

function exitWordOf(error: SliproadError): ExitWord {
  if (error instanceof SliproadConnectionError || error instanceof SliproadTimeoutError) return 'unreachable';
  if (error instanceof SliproadArgumentError) return 'usage';
  return error instanceof SliproadApiError ? (BY_STATUS[error.status] ?? 'failed') : 'failed';
}

/**
 * Reads a date or a time, such as `2026-11-16` or `2026-11-16T05:00:00Z`. A date means midnight in UTC. A time without a zone
 * is in the zone of this machine.
 */
export function timeOption(value: string, name: string): string {
  const time = Date.parse(value);
  if (/^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(time)) return new Date(time).toISOString();
  throw new UsageError(`${name} must be a date or time such as 2026-11-16 or 2026-11-16T05:00:00Z.`);
}
