// `serve` runs the service in this process, as `npm start` does; `migrate` updates the database schema without starting the
// service.
import { type Command, defineCommand, STREAMED_ANSWER } from '../../command.ts';

const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run the service in this process until Ctrl-C or SIGTERM, with the settings of npm start.',
  options: {
    networks: {
      value: 'local|FILE',
      about: 'local: the networks of npm run networks; FILE: used as NETWORKS_FILE',
    },
    banks: { value: 'local|FILE', about: 'local: the banks of npm run banks; FILE: used as BANKS_FILE' },
  },
  run: async (terminal, { options }) => {
    const { networks, banks } = options;
    const { serve } = await import('../../../serve.ts');
    await serve({
      networks,
      banks,
      ...(terminal.json && {
        onReady: ({ address, otcPort, sandboxFile }) =>
          terminal.emit({ type: 'ready', base_url: address, otc_port: otcPort, sandbox_file: sandboxFile }),
      }),
    });
    return STREAMED_ANSWER; // the servers of the service keep the process running
  },
});

const migrateCommand = defineCommand({
  name: 'migrate',
  summary:
    'Migrate the database (DATABASE_URL, or the embedded one in DATA_DIR, which is created if missing) to this version.',
  run: (terminal) =>
    terminal.withFoundation(async ({ migrated }) => {
      const { databaseUrl, dataDir } = terminal.config;
      const database =
        databaseUrl === null ? `the embedded database in ${dataDir}` : 'the database of DATABASE_URL';
      for (const name of migrated) terminal.print(`applied  ${name}`);
      const count = migrated.length === 1 ? 'One migration was' : `${migrated.length} migrations were`;
      terminal.print(
        migrated.length === 0
          ? `Nothing to do: ${database} is up to date.`
          : `${count} applied to ${database}.`,
      );
      return { database: databaseUrl === null ? 'embedded' : 'DATABASE_URL', applied: [...migrated] };
    }, 'made'),
});

export const serviceCommands: readonly Command[] = [serveCommand, migrateCommand];
