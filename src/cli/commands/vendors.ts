// Vendor accounts on the command line.
import type { SettingRequest } from '../../domain/back-office/setting.ts';
import { type Command, modeOption, readOptions, required, table } from '../command.ts';
import { change } from './setting-words.ts';

export const vendorCommands: readonly Command[] = [
  {
    name: 'vendors list',
    usage: '',
    summary: 'List the vendor accounts of both modes.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async ({ backOffice }) => {
        const vendors = await backOffice.listVendors();
        if (vendors.length === 0) {
          terminal.print(
            'No vendors yet. Add one: bin/sliproad vendors add --mode live|test --name NAME --number NUMBER --bank BANK',
          );
          return;
        }
        const rows = vendors.map((each) => [
          each.id,
          each.mode,
          each.active ? 'active' : 'off',
          each.number,
          each.bank,
          each.name,
        ]);
        terminal.print(table([['VENDOR_ID', 'MODE', 'STATE', 'NUMBER', 'BANK', 'NAME'], ...rows]));
      });
    },
  },
  {
    name: 'vendors add',
    usage: '--mode live|test --name NAME --number NUMBER --bank BANK',
    summary: 'Add a vendor account that buyers pay into. A live one needs the approval of another person.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text', name: 'text', number: 'text', bank: 'text' });
      const given = {
        mode: modeOption(options.mode),
        name: required(options.name, '--name'),
        number: required(options.number, '--number'),
        bank: required(options.bank, '--bank'),
      };
      return terminal.withFoundation(async (foundation) => {
        const write = await change(terminal, foundation, { setting: 'vendor_added', vendor: given });
        if (write?.setting !== 'vendor_added') return;
        const { id, bank } = write.vendor;
        terminal.print(
          `${id} added: ${given.name}, ${given.number}, ${bank} (${given.mode}). Buyers see it at once.`,
        );
      });
    },
  },
  changeCommand('vendors rename', '--name NAME', 'Change the name shown for a vendor.', (args) => {
    const { options, rest } = readOptions(args, { name: 'text' }, 1);
    const vendorId = required(rest[0], 'VENDOR_ID');
    return { setting: 'vendor_renamed', vendorId, name: required(options.name, '--name') };
  }),
  changeCommand(
    'vendors disable',
    '',
    'Take a vendor off the list that buyers see. Past transactions keep it.',
    (args) => ({
      setting: 'vendor_disabled',
      vendorId: required(readOptions(args, {}, 1).rest[0], 'VENDOR_ID'),
    }),
  ),
  changeCommand('vendors enable', '', 'Put a vendor back on the list.', (args) => ({
    setting: 'vendor_enabled',
    vendorId: required(readOptions(args, {}, 1).rest[0], 'VENDOR_ID'),
  })),
];

function changeCommand(
  name: string,
  usage: string,
  summary: string,
  read: (args: readonly string[]) => Extract<SettingRequest, { readonly vendorId: string }>,
): Command {
  return {
    name,
    usage: `VENDOR_ID ${usage}`.trim(),
    summary,
    run: (terminal, args) => {
      const request = read(args);
      return terminal.withFoundation(async (foundation) => {
        if ((await change(terminal, foundation, request)) === undefined) return;
        terminal.print(`${request.vendorId} changed. To see it: bin/sliproad vendors list`);
      });
    },
  };
}
