// The assets whose sends are halted, the reasons, and how to resume the sends.
import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import { renderHalt } from '../../renderings/stops.ts';
import { type Command, defineCommand, isoTimeText, printTable } from '../command.ts';
import { amountText } from '../ledger-tables.ts';
import { toJson } from '../terminal/json.ts';

export const haltCommands: readonly Command[] = [
  defineCommand({
    name: 'halts list',
    summary: 'List the assets whose sends are halted, and why.',
    run: (terminal) =>
      terminal.withFoundation(async ({ ledgerAudit, treasuryWatch, networks }) => {
        const decimals = checkableAssets(networks);
        const halts = await ledgerAudit.listHalts();
        if (halts.length === 0) {
          terminal.print('No asset is halted.');
          return { halts: [], outflows: [] };
        }
        const rows = halts.map(({ mode, asset, reason, atMs }) => [mode, asset, isoTimeText(atMs), reason]);
        printTable(terminal, [['MODE', 'ASSET', 'SINCE', 'REASON'], ...rows]);
        const findings = await treasuryWatch.openFindings();
        if (findings.length > 0) {
          const lines = findings.map(({ mode, asset, problem, amountMinor, txHash, to, movementIds }) => [
            ...[mode, asset, problem, amountText(amountMinor, mode, asset, decimals), txHash],
            ...[to ?? '-', movementIds.join(' ') || '-'],
          ]);
          const head = ['MODE', 'ASSET', 'PROBLEM', 'AMOUNT', 'TRANSACTION', 'TO', 'MOVEMENTS'];
          terminal.print('\nUnexplained transfers out of a treasury:');
          printTable(terminal, [head, ...lines]);
        }
        terminal.print('\nOnce you know the cause, one person proposes to resume and another approves:');
        terminal.print('  bin/sliproad reviews propose resume --mode MODE --asset ASSET');
        return {
          halts: halts.map((halt) => renderHalt(halt, networks)),
          outflows: findings.map((each) => toJson(each, decimals)),
        };
      }),
  }),
];
