// `serve` runs the service in this process, as `npm start` does; `migrate` brings the database to this version without
// starting it.
import { type Command, command, STREAMED } from '../../command.ts';

const serveCommand = command({
  name: 'serve',
  summary:
    'Run the service in this process until it is stopped by Ctrl-C or SIGTERM, with the settings of npm start.',
  options: {
    networks: { value: 'local|FILE', about: 'the networks of npm run networks, or a file as NETWORKS_FILE' },
    banks: { value: 'local|FILE', about: 'the banks of npm run banks, or a file as BANKS_FILE' },
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
    return STREAMED; // its servers keep the process running
  },
});

const migrateCommand = command({
  name: 'migrate',
  summary:
    'Bring the database to this version: DATABASE_URL, or the embedded one of DATA_DIR, made if it is missing.',
  run: (terminal) =>
    terminal.withFoundation(async ({ migrated }) => {
      const { databaseUrl, dataDir } = terminal.config;
      const database =
        databaseUrl === null ? `the embedded database in ${dataDir}` : 'the database of DATABASE_URL';
      for (const name of migrated) terminal.print(`applied  ${name}`);
      const count = migrated.length === 1 ? 'One migration was' : `${migrated.length} migrations were`;
      terminal.print(
        migrated.length === 0 ? `Nothing to do: ${database} is current.` : `${count} applied to ${database}.`,
      );
      return { database: databaseUrl === null ? 'embedded' : 'DATABASE_URL', applied: [...migrated] };
    }, 'made'),
});

export const serviceCommands: readonly Command[] = [serveCommand, migrateCommand];
