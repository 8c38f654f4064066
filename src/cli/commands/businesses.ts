// Businesses on the command line.
import { recordRead } from '../../app/audit/record-read.ts';
import { addBusiness, setDefaultWallet } from '../../app/back-office/manage-businesses.ts';
import { type Command, CommandError, modeOption, readOptions, required, table } from '../command.ts';

export const businessCommands: readonly Command[] = [
  {
    name: 'businesses list',
    usage: '',
    summary: 'List the businesses.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async (foundation) => {
        await recordRead(foundation, foundation.actor, null, 'businesses list');
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
    usage: '--business ID --mode live|test [--network NAME --address WALLET]',
    summary:
      'Set the default wallet for buys that name no wallet. Without --network and --address the default wallet is REMOVED.',
    run: (terminal, args) => {
      const { options } = readOptions(args, {
        business: 'text',
        mode: 'text',
        network: 'text',
        address: 'text',
      });
      const mode = modeOption(options.mode);
      const businessId = required(options.business, '--business');
      return terminal.withFoundation(async (foundation) => {
        const { network, address } = options;
        const set = await setDefaultWallet(foundation, { businessId, mode, network, address });
        if (!set.ok) throw new CommandError(set.error.message);
        terminal.print(
          set.value === null
            ? 'Default wallet removed. To set one: the same command with --network NAME --address WALLET'
            : `Default wallet: ${set.value.network} ${set.value.address}`,
        );
      });
    },
  },
];
