// The `sliproad` command: finds the command, opens what it needs, and prints what to do next when something is wrong.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { MODES } from '../domain/values/mode.ts';
import { openLog } from '../log.ts';
import { type DescribedFoundation, isOperatorError, openFoundation, VERSION } from '../wire.ts';
import { makeQuestions } from './ask.ts';
import { type Command, CommandError, type Terminal, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { askForStepUp } from './step-up.ts';
import { unknownCommand } from './unknown-command.ts';
import { admit, whoIs } from './who.ts';
import type { Who } from './who-type.ts';

async function main(args: readonly string[]): Promise<void> {
  const words = args.filter((word) => word !== '--help' && word !== '-h');
  if (words.length === 0 || words[0] === 'help') return help(COMMANDS);
  if (words[0] === '--version') return console.log(VERSION);
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, index) => word === words[index]));
  if (command === undefined) {
    const group = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
    if (group.length > 0 && (words.length === 1 || words.length < args.length)) return help(group);
    throw new CommandError(unknownCommand(words, COMMANDS));
  }
  if (words.length < args.length) return help([command]);
  try {
    const rest = words.slice(command.name.split(' ').length);
    await command.run(openTerminal(command, rest), rest);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new CommandError(
      `${error.message}\nUsage: bin/sliproad ${command.name} ${command.usage}`.trimEnd(),
    );
  }
}

function openTerminal({ name }: Command, args: readonly string[]): Terminal {
  // Read at the first use: the key file is made (secrets make-key) before the setting that names it.
  let read: ReturnType<typeof readSettings> | undefined;
  const settings = () => {
    read ??= readSettings();
    return read;
  };
  const opening = async <T, Opened extends DescribedFoundation>(
    open: (config: Config, log: Logger) => Promise<Opened>,
    work: (foundation: Opened & Who) => Promise<T>,
    database: 'there' | 'made' = 'there',
  ): Promise<T> => {
    const { config, logger } = settings();
    const isThere = config.databaseUrl !== null || existsSync(path.join(config.dataDir, 'postgres'));
    if (!isThere && database === 'there') {
      throw new CommandError(
        `There is no database in ${config.dataDir}. Run this command in the directory of the service or set DATA_DIR; a new service makes its database at its first start (npm start).`,
      );
    }
    const foundation = await open(config, logger);
    for (const { problem } of MODES.flatMap((mode) => foundation.networks.disabled(mode)))
      console.error(`${problem} This command goes on without it.`);
    try {
      const who = await whoIs(foundation.people, config, (warning) => console.error(warning));
      await admit(name, foundation, who, args);
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
    print: (line) => console.log(line),
    progress: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
    },
    withFoundation: (work, database) => opening((config, log) => openFoundation(config, log), work, database),
    withNetworks: (work) => opening((config, log) => openFoundation(config, log, { networks: 'open' }), work),
    stepUpFor: (who, proposalId) => askForStepUp(who, makeQuestions(), proposalId),
  };
}

function readSettings(): { readonly config: Config; readonly logger: Logger } {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  // An operator reads this output, so only problems are logged.
  const { logger } = openLog(config.logLevel === 'info' ? 'warn' : config.logLevel, config.secretKeyHeader);
  return { config, logger };
}

function help(commands: readonly Command[]): void {
  console.log('Usage: bin/sliproad COMMAND [OPTIONS]\n');
  for (const { name, usage, summary } of commands)
    console.log(`  ${`${name} ${usage}`.trim()}\n      ${summary}`);
  console.log('\nSettings come from the environment, as for the service: see config.example.env.');
}

main(process.argv.slice(2)).catch((error: Error) => {
  const expected = error instanceof CommandError || error instanceof ConfigError || isOperatorError(error);
  console.error(expected ? error.message : error);
  process.exitCode = 1;
});
