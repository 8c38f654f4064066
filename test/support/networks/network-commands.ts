// Runs the commands about networks in this process, as the command line does.
import pino from 'pino';
import type { Terminal } from '../../../src/cli/command.ts';
import { networkCommands } from '../../../src/cli/commands/networks.ts';
import type { Config } from '../../../src/config.ts';
import { openFoundation } from '../../../src/wire/foundation.ts';
import { makeNetworkAdmin } from '../../../src/wire/networks/network-admin.ts';

const log = pino({ level: 'silent' });

export async function runNetworks(config: Config, line: string): Promise<{ failed: boolean; text: string }> {
  const printed: string[] = [];
  const terminal = {
    config,
    log,
    print: (text: string) => void printed.push(text),
    progress: () => undefined,
    withFoundation: async (work: Parameters<Terminal['withFoundation']>[0]) => {
      const foundation = await openFoundation(config, log);
      try {
        return await work({ ...foundation, actor: 'os:test', signedIn: null });
      } finally {
        await foundation.close();
      }
    },
  } as unknown as Terminal;
  const words = `networks ${line}`.split(' ');
  const command = networkCommands(makeNetworkAdmin).find(({ name }) => name === words.slice(0, 2).join(' '))!;
  try {
    await command.run(terminal, words.slice(2));
    return { failed: false, text: printed.join('\n') };
  } catch (error) {
    return { failed: true, text: [...printed, (error as Error).message].join('\n') };
  }
}
