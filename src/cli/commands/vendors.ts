// The command-line commands for vendors, the bank accounts into which buyers pay.
import { showVendors } from '../../app/back-office/show-vendors.ts';
import type { SettingRequest } from '../../domain/back-office/setting.ts';
import { MODES } from '../../domain/values/mode.ts';
import { renderVendor } from '../../renderings/vendors.ts';
import type { DescribedFoundation } from '../../wire/foundation.ts';
import { type Command, defineCommand, printTable, REQUIRED_MODE, type Terminal } from '../command.ts';
import type { Json } from '../terminal/json.ts';
import { requestSettingChange } from './decision-words.ts';

export const vendorCommands: readonly Command[] = [
  defineCommand({
    name: 'vendors list',
    summary: 'List the vendor accounts of both modes.',
    run: (terminal) =>
      terminal.withFoundation(async (foundation) => {
        const vendors = await foundation.backOffice.listVendors();
        const rows = vendors.map((each) => [
          ...[each.id, each.mode, each.active ? 'active' : 'off', each.number, each.bank, each.name],
          each.creditSource ?? '-',
        ]);
        if (rows.length > 0)
          printTable(terminal, [['VENDOR_ID', 'MODE', 'STATE', 'NUMBER', 'BANK', 'NAME', 'SOURCE'], ...rows]);
        else
          terminal.print(
            'No vendors yet. Add one: bin/sliproad vendors add --mode live|test --name NAME --number NUMBER --bank BANK',
          );
        return { vendors: await readVendors(foundation) };
      }),
  }),
  defineCommand({
    name: 'vendors add',
    summary:
      'Add a vendor account that buyers pay into. A live account needs the approval of another person.',
    options: {
      mode: REQUIRED_MODE,
      name: { value: 'NAME', needed: true, about: 'the name of the account' },
      number: { value: 'NUMBER', needed: true, about: 'the account number, 10 digits' },
      bank: { value: 'BANK', needed: true, about: 'the bank (banks search)' },
    },
    run: (terminal, { options: { mode, name, number, bank } }) =>
      terminal.withFoundation(async (foundation) => {
        const request = { setting: 'vendor_added', vendor: { mode, name, number, bank } } as const;
        const { write, json } = await requestSettingChange(terminal, foundation, request);
        if (write?.setting !== 'vendor_added') return json;
        const { id, bank: found } = write.vendor;
        terminal.print(`${id} added: ${name}, ${number}, ${found} (${mode}). Buyers see it immediately.`);
        return { ...json, vendor: await readVendor(foundation, id) };
      }),
  }),
  defineCommand({
    name: 'vendors rename',
    words: ['VENDOR_ID'],
    summary: 'Change the display name of a vendor.',
    options: { name: { value: 'NAME', needed: true, about: 'the new name' } },
    run: (terminal, { words: [vendorId], options: { name } }) =>
      changeVendor(terminal, { setting: 'vendor_renamed', vendorId, name }),
  }),
  defineCommand({
    name: 'vendors disable',
    words: ['VENDOR_ID'],
    summary: 'Remove a vendor from the list that buyers see. Existing transactions keep it.',
    run: (terminal, { words: [vendorId] }) =>
      changeVendor(terminal, { setting: 'vendor_disabled', vendorId }),
  }),
  defineCommand({
    name: 'vendors source',
    words: ['VENDOR_ID', 'SOURCE'],
    summary: 'Set the credit source of a vendor account: the name of a rail, or statements.',
    run: (terminal, { words: [vendorId, source] }) =>
      changeVendor(terminal, { setting: 'vendor_source_set', vendorId, source }),
  }),
  defineCommand({
    name: 'vendors enable',
    words: ['VENDOR_ID'],
    summary: 'Put a vendor back on the list.',
    run: (terminal, { words: [vendorId] }) => changeVendor(terminal, { setting: 'vendor_enabled', vendorId }),
  }),
];

function changeVendor(
  terminal: Terminal,
  request: Extract<SettingRequest, { readonly vendorId: string }>,
): Promise<Json> {
  return terminal.withFoundation(async (foundation) => {
    const { write, json } = await requestSettingChange(terminal, foundation, request);
    if (write === undefined) return json;
    terminal.print(`${request.vendorId} changed. To see it: bin/sliproad vendors list`);
    return { ...json, vendor: await readVendor(foundation, request.vendorId) };
  });
}

async function readVendors(foundation: DescribedFoundation) {
  const shown = await Promise.all(MODES.map((mode) => showVendors(foundation, mode)));
  return shown.flatMap(({ vendors }) => vendors.map(renderVendor));
}

async function readVendor(foundation: DescribedFoundation, vendorId: string) {
  return (await readVendors(foundation)).find((each) => each.vendor_id === vendorId);
}
