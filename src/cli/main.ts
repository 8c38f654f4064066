// The `sliproad` command. It finds the typed command, opens the database and the networks that the command needs, and prints
// the result for people or as JSON. After a failure, it prints the next step. The exit code shows the result
// (terminal/command-error.ts).
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { MODES } from '../domain/values/mode.ts';
import { openLog } from '../log.ts';
import type { DescribedFoundation } from '../wire/foundation.ts';
import { VERSION } from '../wire/version.ts';
import { type Command, STREAMED_ANSWER, type Terminal, type TerminalUser } from './command.ts';
import { COMMANDS } from './commands.ts';
import { findCommand, findGroup, unknownCommandMessage } from './find-command.ts';
import { makeQuestions } from './questions.ts';
import { askForStepUp } from './sign-in.ts';
import {
  CommandError,
  EXIT_CODES,
  type ExitWord,
  exitWordOfError,
  UsageError,
} from './terminal/command-error.ts';
import { commandHelp, listHelp, usageLine } from './terminal/help.ts';
import type { Json } from './terminal/json.ts';
import { type Globals, readArguments } from './terminal/options.ts';
import { makePaint } from './terminal/table.ts';
import { admitCommand, readTerminalUser } from './terminal-user.ts';

const stop = new AbortController();

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--version') return console.log(VERSION);
  const words = args.filter((word) => !['--help', '-h', '--json', '--no-color'].includes(word));
  if (words.length === 0 || words[0] === 'help') return console.log(listHelp(COMMANDS));
  const command = findCommand(words, COMMANDS);
  if (command === undefined) {
    const group = findGroup(words, COMMANDS);
    const isGroup = group.length > 0 && !words.some((word) => word.startsWith('-'));
    if (isGroup) return console.log(listHelp(group));
    throw new CommandError(unknownCommandMessage(words, COMMANDS), 'usage');
  }
  const rest = withoutName(args, command);
  try {
    const { globals } = readArguments(rest, command);
    if (globals.help) return console.log(commandHelp(command));
    const answer = await command.run(openTerminal(command, rest, globals), rest);
    if (globals.json && answer !== STREAMED_ANSWER) printJson(answer);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandError(`${error.message}\nUsage: bin/sliproad ${usageLine(command)}`, 'usage');
  }
  if (stop.signal.aborted) process.exitCode = EXIT_CODES.interrupted;
}

/** The arguments without the words of the command name. Global options may come before the name or between its words. */
function withoutName(args: readonly string[], { name }: Command): readonly string[] {
  const rest = [...args];
  for (const word of name.split(' ')) rest.splice(rest.indexOf(word), 1);
  return rest;
}

function printJson(answer: Json): void {
  console.log(JSON.stringify(answer, null, 2));
}

function openTerminal(
  { name }: Command,
  args: readonly string[],
  { json, 'no-color': noColor }: Globals,
): Terminal {
  // Settings are read at their first use, because `secrets make-key` runs before the setting for the key file exists.
  let read: ReturnType<typeof readSettings> | undefined;
  const settings = () => {
    read ??= readSettings();
    return read;
  };
  const opening = async <T, Opened extends DescribedFoundation>(
    open: (config: Config, log: Logger) => Promise<Opened>,
    work: (foundation: Opened & TerminalUser) => Promise<T>,
    database: 'there' | 'made' = 'there',
  ): Promise<T> => {
    const { config, logger } = settings();
    if (database === 'there') requireDatabase(config);
    const foundation = await open(config, logger);
    for (const { problem } of MODES.flatMap((mode) => foundation.networks.disabled(mode)))
      console.error(`${problem} This command continues without that network.`);
    try {
      const who = await readTerminalUser(foundation.people, config, (warning) => console.error(warning));
      await admitCommand(name, foundation, who, args);
      return await work({ ...foundation, ...who });
    } finally {
      await foundation.close();
    }
  };
  return {
    get config() {
      return settings().config;
    },
    get log() {
      return settings().logger;
    },
    get interrupted() {
      return stopOnInterrupt();
    },
    json,
    paint: makePaint(process.stdout, process.env, noColor),
    print: (line) => {
      if (!json) console.log(line);
    },
    note: (line) => console.error(line),
    emit: (line) => {
      if (json) console.log(JSON.stringify(line));
    },
    progress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
    },
    withFoundation: (work, database) =>
      opening(async (config, log) => (await loadFoundations()).openFoundation(config, log), work, database),
    withNetworks: (work) =>
      opening(
        async (config, log) => (await loadFoundations()).openFoundation(config, log, { networks: 'open' }),
        work,
      ),
    stepUpFor: (who, proposalId) => askForStepUp(who, makeQuestions(), proposalId),
  };
}

/** This module is loaded only when a command opens the database, because loading it takes most of the start-up time. */
function loadFoundations() {
  return import('../wire/foundation.ts');
}

function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== null || existsSync(path.join(dataDir, 'postgres'))) return;
  throw new CommandError(
    `There is no database in ${dataDir}. Run this command in the directory of the service or set DATA_DIR. The first start of a new service creates its database (npm start).`,
    'unreachable',
  );
}

/** Only commands that use the signal call this. Without a listener, Ctrl-C ends the process at once. */
function stopOnInterrupt(): AbortSignal {
  if (process.listenerCount('SIGINT') === 0) {
    process.once('SIGINT', () => stop.abort());
    process.once('SIGTERM', () => stop.abort());
  }
  return stop.signal;
}

/** Log lines go to standard error, because standard output is only for the result. */
const STANDARD_ERROR = 2;

function readSettings(): { readonly config: Config; readonly logger: Logger } {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  // A person reads the output of a command, so only problems are logged.
  const level = config.logLevel === 'info' ? 'warn' : config.logLevel;
  const { logger } = openLog(level, config.secretKeyHeader, STANDARD_ERROR);
  return { config, logger };
}

/**
 * Returns the exit word of an error. A configuration error with a cause means that the database cannot be used. Without a
 * cause, a setting is wrong.
 */
function exitWordOf(error: unknown): ExitWord {
  if (stop.signal.aborted && error === stop.signal.reason) return 'interrupted';
  if (!(error instanceof ConfigError)) return exitWordOfError(error);
  return error.cause === undefined ? 'usage' : 'unreachable';
}

async function isOperators(error: Error): Promise<boolean> {
  return (await import('../wire/operator-errors.ts')).isOperatorError(error);
}

const args = process.argv.slice(2);
main(args).catch(async (error: Error) => {
  const exit = exitWordOf(error);
  const expected =
    error instanceof CommandError || error instanceof ConfigError || (await isOperators(error));
  if (exit !== 'interrupted') console.error(expected || exit === 'unreachable' ? error.message : error);
  // A script always finds one JSON document on standard output, even after a failure.
  if (args.includes('--json')) {
    const answer = error instanceof CommandError ? error.answer : undefined;
    printJson(answer ?? { error: { code: exit, message: error.message } });
  }
  process.exitCode = EXIT_CODES[exit];
});
