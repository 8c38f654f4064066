// The ledger on the command line: recount, show, explain and fund it, and list the assets whose sends are halted.
import { recordReadOf } from '../../app/audit/record-read.ts';
import { verifyAudit } from '../../app/audit/verify-audit.ts';
import { checkableAssets, recountLedger } from '../../app/ledger/check-ledger.ts';
import { fundLedger } from '../../app/ledger/fund-ledger.ts';
import type { DescribedFoundation } from '../../wire.ts';
import {
  type Command,
  CommandError,
  modeOption,
  readOptions,
  required,
  type Terminal,
  table,
} from '../command.ts';
import { accountTable, amountText, entryTable } from '../ledger-tables.ts';
import { brokenAudit } from './people/audit.ts';

export const ledgerCommands: readonly Command[] = [
  {
    name: 'ledger check',
    usage: '',
    summary:
      'Recount every posting and compare with the balances, and verify the entries of the audit log. A difference is printed, its sends are halted, and the exit code is 1.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async (foundation) => {
        const addsUp = await printCheck(terminal, foundation);
        const onProgress = (done: string) => terminal.progress(done);
        const { head, finding } = await verifyAudit(foundation.audit, { digests: false, onProgress });
        terminal.progress('');
        if (finding === undefined) terminal.print(`The audit log is whole: ${head.no} entries.`);
        if (!addsUp) {
          if (finding !== undefined) terminal.print(brokenAudit(finding).message);
          throw new CommandError('The ledger does not add up. Sends are halted: bin/sliproad halts list');
        }
        if (finding !== undefined) throw brokenAudit(finding);
      });
    },
  },
  {
    name: 'ledger balances',
    usage: '[--mode live|test]',
    summary: 'Show the balance of every account, on its debit or credit side.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text' });
      const mode = options.mode === undefined ? undefined : modeOption(options.mode);
      return terminal.withFoundation(async ({ ledgerAudit, networks }) => {
        const accounts = (await ledgerAudit.balances()).filter(
          (each) => mode === undefined || each.mode === mode,
        );
        if (accounts.length === 0) return terminal.print('The ledger is empty: nothing was posted yet.');
        terminal.print(accountTable(accounts, checkableAssets(networks)));
      });
    },
  },
  {
    name: 'ledger explain',
    usage: 'ID',
    summary:
      'Show the ledger entries of a transaction, credit, deposit, movement or funding, and of its related records.',
    run: (terminal, args) => {
      const id = required(readOptions(args, {}, 1).rest[0], 'ID');
      return terminal.withFoundation(async (foundation) => {
        const { ledgerAudit, networks } = foundation;
        const entries = await ledgerAudit.explain(id);
        if (entries.length === 0)
          throw new CommandError(
            `The ledger has no entry about "${id}". Give an id such as txn_…, crd_… or mov_….`,
          );
        await recordReadOf(foundation, foundation.actor, id, 'ledger explain');
        terminal.print(entryTable(entries, checkableAssets(networks)));
      });
    },
  },
  {
    name: 'ledger fund',
    usage: '--mode live|test --asset NGN|CODE@Network --amount AMOUNT [--unseen]',
    summary: 'Record in the ledger what you added to the bank float or the treasury. No money is moved.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text', asset: 'text', amount: 'text', unseen: 'flag' });
      const given = {
        mode: modeOption(options.mode),
        asset: required(options.asset, '--asset'),
        amount: required(options.amount, '--amount'),
        unseen: options.unseen !== undefined,
      };
      return terminal.withFoundation(async (foundation) => {
        const funded = await fundLedger(foundation, given);
        if (!funded.ok) throw new CommandError(funded.error);
        const { id, mode, asset, amountMinor } = funded.value;
        const amount = amountText(amountMinor, mode, asset, checkableAssets(foundation.networks));
        terminal.print(
          `Recorded in the ledger: ${amount} (${mode} ${asset}) as ${id}. To see it: bin/sliproad ledger explain ${id}`,
        );
      });
    },
  },
  {
    name: 'halts list',
    usage: '',
    summary: 'List the assets whose sends are halted, and why.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation((foundation) => printHalts(terminal, foundation));
    },
  },
];

async function printCheck(terminal: Terminal, foundation: DescribedFoundation): Promise<boolean> {
  // Findings are printed below, so they are not logged as well.
  const state = await recountLedger({ ...foundation, onTrouble: () => undefined }, (postings) =>
    terminal.progress(`Counted ${postings} postings`),
  );
  terminal.progress('');
  if (state.accounts.length === 0) {
    terminal.print('The ledger is empty: nothing was posted yet.');
    return true;
  }
  terminal.print(accountTable(state.accounts, checkableAssets(foundation.networks)));
  if (state.unchecked.length > 0) {
    terminal.print(
      `Not compared across assets, because their decimals are unknown: ${state.unchecked.join(', ')}`,
    );
  }
  if (state.findings.length === 0) terminal.print('The ledger adds up.');
  for (const { rule, text } of state.findings) terminal.print(`${rule}: ${text}`);
  return state.findings.length === 0;
}

async function printHalts(
  terminal: Terminal,
  { ledgerAudit, treasuryWatch, networks }: DescribedFoundation,
): Promise<void> {
  const halts = await ledgerAudit.listHalts();
  if (halts.length === 0) return terminal.print('No asset is halted.');
  const rows = halts.map(({ mode, asset, reason, atMs }) => [
    mode,
    asset,
    new Date(atMs).toISOString(),
    reason,
  ]);
  terminal.print(table([['MODE', 'ASSET', 'SINCE', 'REASON'], ...rows]));
  const findings = await treasuryWatch.openFindings();
  if (findings.length > 0) {
    const decimals = checkableAssets(networks);
    const lines = findings.map(({ mode, asset, problem, amountMinor, txHash, to, movementIds }) => [
      mode,
      asset,
      problem,
      amountText(amountMinor, mode, asset, decimals),
      txHash,
      to ?? '-',
      movementIds.join(' ') || '-',
    ]);
    terminal.print('');
    terminal.print('Transfers out of a treasury that no order explains:');
    terminal.print(
      table([['MODE', 'ASSET', 'PROBLEM', 'AMOUNT', 'TRANSACTION', 'TO', 'MOVEMENTS'], ...lines]),
    );
  }
  terminal.print('');
  terminal.print('When the cause is found, one person proposes to resume and another approves:');
  terminal.print('  bin/sliproad reviews propose resume --mode MODE --asset ASSET');
}
