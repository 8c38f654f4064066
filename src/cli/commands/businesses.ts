// Businesses on the command line.
import { addBusiness, checkDefaultWallet } from '../../app/back-office/manage-businesses.ts';
import type { Wallet } from '../../domain/records/transaction.ts';
import {
  type Command,
  CommandError,
  modeOption,
  readOptions,
  required,
  type Terminal,
  table,
  UsageError,
} from '../command.ts';
import { change } from './setting-words.ts';

export const businessCommands: readonly Command[] = [
  {
    name: 'businesses list',
    usage: '',
    summary: 'List the businesses.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async (foundation) => {
        const businesses = await foundation.backOffice.listBusinesses();
        if (businesses.length === 0) {
          terminal.print(
            'No businesses yet. Add one: bin/sliproad businesses add --name NAME --link-tag TAG',
          );
          return;
        }
        const rows = businesses.map(({ id, linkTag, name }) => [id, linkTag, name]);
        terminal.print(table([['BUSINESS_ID', 'LINK_TAG', 'NAME'], ...rows]));
      });
    },
  },
  {
    name: 'businesses add',
    usage: '--name NAME --link-tag TAG',
    summary: 'Register a business.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { name: 'text', 'link-tag': 'text' });
      const given = {
        name: required(options.name, '--name'),
        linkTag: required(options['link-tag'], '--link-tag'),
        sandbox: false,
      };
      return terminal.withFoundation(async (foundation) => {
        const added = await addBusiness(foundation, given);
        if (!added.ok) throw new CommandError(added.error.message);
        terminal.print(`business_id  ${added.value.id}\nlink_tag     ${added.value.linkTag}`);
        terminal.print(`Next: bin/sliproad keys add --business ${added.value.id} --mode test`);
      });
    },
  },
  {
    name: 'businesses wallet',
    usage: '--business ID --mode live|test [--network NAME --address WALLET | --remove]',
    summary:
      'Show the default wallet for buys that name no wallet, set it, or remove it. In live mode another person must approve.',
    run: (terminal, args) => {
      const { options } = readOptions(args, {
        business: 'text',
        mode: 'text',
        network: 'text',
        address: 'text',
        remove: 'flag',
      });
      const mode = modeOption(options.mode);
      const businessId = required(options.business, '--business');
      return terminal.withFoundation(async (foundation) => {
        const { network, address, remove } = options;
        if (network === undefined && address === undefined && remove === undefined)
          return printWallet(terminal, await foundation.backOffice.defaultWallet(businessId, mode));
        if (remove !== undefined && (network !== undefined || address !== undefined))
          throw new UsageError('--remove takes no wallet. Leave --network and --address out.');
        const checked = await checkDefaultWallet(foundation, { businessId, mode, network, address });
        if (!checked.ok) throw new CommandError(checked.error.message);
        const { value: wallet } = checked;
        const done = await change(terminal, foundation, { setting: 'wallet_set', businessId, mode, wallet });
        if (done === undefined) return;
        if (wallet === null) terminal.print('Default wallet removed.');
        else printWallet(terminal, wallet);
      });
    },
  },
];

function printWallet(terminal: Terminal, wallet: Wallet | null): void {
  terminal.print(
    wallet === null
      ? 'No default wallet. To set one, add: --network NAME --address WALLET'
      : `Default wallet: ${wallet.network} ${wallet.address}`,
  );
}
