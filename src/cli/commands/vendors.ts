// Vendor accounts on the command line.
import { addVendor, changeVendor } from '../../app/back-office/manage-vendors.ts';
import { type Command, CommandError, modeOption, readOptions, required, table } from '../command.ts';

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
    summary: 'Add a vendor account that buyers pay into.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text', name: 'text', number: 'text', bank: 'text' });
      const given = {
        mode: modeOption(options.mode),
        name: required(options.name, '--name'),
        number: required(options.number, '--number'),
        bank: required(options.bank, '--bank'),
      };
      return terminal.withFoundation(async (foundation) => {
        const added = await addVendor(foundation, given);
        if (!added.ok) throw new CommandError(added.error.errors.map(({ message }) => message).join('\n'));
        const { id, bank } = added.value;
        terminal.print(
          `${id} added: ${given.name}, ${given.number}, ${bank} (${given.mode}). Buyers see it at once.`,
        );
      });
    },
  },
  changeCommand('vendors rename', '--name NAME', 'Change the name shown for a vendor.', (args) => {
    const { options, rest } = readOptions(args, { name: 'text' }, 1);
    return { id: required(rest[0], 'VENDOR_ID'), change: { name: required(options.name, '--name') } };
  }),
  changeCommand(
    'vendors disable',
    '',
    'Take a vendor off the list that buyers see. Past transactions keep it.',
    (args) => ({
      id: required(readOptions(args, {}, 1).rest[0], 'VENDOR_ID'),
      change: { active: false },
    }),
  ),
  changeCommand('vendors enable', '', 'Put a vendor back on the list.', (args) => ({
    id: required(readOptions(args, {}, 1).rest[0], 'VENDOR_ID'),
    change: { active: true },
  })),
];

function changeCommand(
  name: string,
  usage: string,
  summary: string,
  read: (args: readonly string[]) => { id: string; change: { name?: string; active?: boolean } },
): Command {
  return {
    name,
    usage: `VENDOR_ID ${usage}`.trim(),
    summary,
    run: (terminal, args) => {
      const { id, change } = read(args);
      return terminal.withFoundation(async (foundation) => {
        const changed = await changeVendor(foundation, id, change);
        if (!changed.ok) throw new CommandError(changed.error);
        terminal.print(`${id} changed. To see it: bin/sliproad vendors list`);
      });
    },
  };
}
