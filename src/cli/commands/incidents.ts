// Frozen businesses, and recovery cases for reversed payments and returned payouts: how to list and to close them.
import { formatNaira } from '../../domain/values/money.ts';
import { type Command, modeOption, readOptions, required, table } from '../command.ts';
import { change } from './setting-words.ts';

export const incidentCommands: readonly Command[] = [
  {
    name: 'freezes list',
    usage: '',
    summary: 'List the frozen businesses: their transactions are held for review.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async (foundation) => {
        const freezes = await foundation.backOffice.listFreezes();
        if (freezes.length === 0) return terminal.print('No business is frozen.');
        const rows = freezes.map(({ businessId, mode, reason, atMs }) => [
          businessId,
          mode,
          new Date(atMs).toISOString(),
          reason,
        ]);
        terminal.print(table([['BUSINESS', 'MODE', 'SINCE', 'REASON'], ...rows]));
        terminal.print('To end a freeze: bin/sliproad freezes lift --business ID --mode MODE --reason TEXT');
      });
    },
  },
  {
    name: 'freezes lift',
    usage: '--business ID --mode live|test --reason TEXT',
    summary:
      'Unfreeze a business; in live mode another person must approve. Transactions held during the freeze stay on hold until a reviewer releases each of them.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { business: 'text', mode: 'text', reason: 'text' });
      const businessId = required(options.business, '--business');
      const mode = modeOption(options.mode);
      const reason = required(options.reason, '--reason');
      return terminal.withFoundation(async (foundation) => {
        const request = { setting: 'freeze_lifted', businessId, mode, reason } as const;
        if ((await change(terminal, foundation, request)) === undefined) return;
        terminal.print(`${businessId} is no longer frozen in ${mode} mode.`);
        terminal.print('Transactions held during the freeze: bin/sliproad reviews list');
      });
    },
  },
  {
    name: 'cases list',
    usage: '',
    summary: 'List the open cases: reversed payments and returned payouts.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async (foundation) => {
        const cases = await foundation.backOffice.listOpenCases();
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
        terminal.print('To close one: bin/sliproad cases close CASE_ID --reason TEXT');
      });
    },
  },
  {
    name: 'cases close',
    usage: 'CASE_ID --reason TEXT',
    summary: 'Close a recovery case. --reason says how it ended. In live mode another person must approve.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { reason: 'text' }, 1);
      const caseId = required(rest[0], 'CASE_ID');
      const reason = required(options.reason, '--reason');
      return terminal.withFoundation(async (foundation) => {
        const request = { setting: 'case_closed', caseId, reason } as const;
        if ((await change(terminal, foundation, request)) === undefined) return;
        terminal.print(`Case ${caseId} is closed.`);
      });
    },
  },
];
