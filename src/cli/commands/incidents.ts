// Businesses whose money stands still, and money to be got back: looking at them, and ending them.
import { formatNaira } from '../../domain/values/money.ts';
import { type Command, CommandError, modeOption, readOptions, required, table } from '../command.ts';

export const incidentCommands: readonly Command[] = [
  {
    name: 'freezes list',
    usage: '',
    summary: 'List the businesses whose money stands still.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        const freezes = await backOffice.listFreezes();
        if (freezes.length === 0) return terminal.print('No business is frozen.');
        const rows = freezes.map(({ businessId, mode, reason, atMs }) => [
          businessId,
          mode,
          new Date(atMs).toISOString(),
          reason,
        ]);
        terminal.print(table([['BUSINESS', 'MODE', 'SINCE', 'REASON'], ...rows]));
      }),
  },
  {
    name: 'freezes lift',
    usage: '--business ID --mode live|test --reason TEXT',
    summary: 'Let the money of a business move again. What was held meanwhile is released one by one.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { business: 'text', mode: 'text', reason: 'text' });
      const business = required(options.business, '--business');
      const mode = modeOption(options.mode);
      const reason = required(options.reason, '--reason');
      return terminal.withFoundation(async ({ backOffice, clock, actor }) => {
        const lifted = await backOffice.liftFreeze(business, mode, reason, { actor, atMs: clock.now() });
        if (!lifted) throw new CommandError(`${business} is not frozen in ${mode} mode.`);
        terminal.print(`The money of ${business} moves again in ${mode} mode.`);
        terminal.print('What was held meanwhile: bin/sliproad reviews list');
      });
    },
  },
  {
    name: 'cases list',
    usage: '',
    summary: 'List the recovery cases that are open.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        const cases = await backOffice.listOpenCases();
        if (cases.length === 0) return terminal.print('No case is open.');
        const rows = cases.map((each) => [
          each.id,
          each.kind,
          each.mode,
          formatNaira(each.amountMinor),
          each.transactionId ?? '-',
          new Date(each.openedAtMs).toISOString(),
        ]);
        terminal.print(table([['CASE', 'KIND', 'MODE', 'AMOUNT', 'TRANSACTION', 'SINCE'], ...rows]));
      }),
  },
  {
    name: 'cases close',
    usage: 'CASE_ID --reason TEXT',
    summary: 'Close a recovery case; how it ended is the reason.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { reason: 'text' });
      const id = required(rest[0], 'CASE_ID');
      const reason = required(options.reason, '--reason');
      return terminal.withFoundation(async ({ backOffice, clock, actor }) => {
        const closed = await backOffice.closeCase(id, reason, { actor, atMs: clock.now() });
        if (!closed) throw new CommandError(`There is no open case ${id}.`);
        terminal.print(`Case ${id} is closed.`);
      });
    },
  },
];
