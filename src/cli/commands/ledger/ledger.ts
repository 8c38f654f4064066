// The command-line commands for the ledger: they recount it, show it, explain its entries, and propose fundings.
import { recordReadOfRecord } from '../../../app/audit/record-actions.ts';
import { verifyAudit } from '../../../app/audit/verify-audit.ts';
import { readBalances, readEntriesAbout } from '../../../app/ledger/browse-ledger.ts';
import { checkableAssets, type LedgerVerdict, recountLedger } from '../../../app/ledger/check-ledger.ts';
import { fundLedger } from '../../../app/ledger/fund-ledger.ts';
import { proposeFunding, proposeUnfunding } from '../../../app/review/propose-funding.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { NAIRA } from '../../../domain/values/money.ts';
import { renderAsset, renderEntry } from '../../../renderings/ledger.ts';
import { isoTime } from '../../../renderings/parts/values.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import {
  type Command,
  defineCommand,
  MODE,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../../command.ts';
import { accountJson, accountRows, amountText, entryRows } from '../../ledger-tables.ts';
import { CommandError } from '../../terminal/command-error.ts';
import { toJson } from '../../terminal/json.ts';
import { brokenAuditError } from '../audit/audit.ts';
import { valueOrThrow } from '../decision-words.ts';
import { showProposal } from '../review-proposals.ts';

const checkCommand = defineCommand({
  name: 'ledger check',
  summary:
    'Recount every posting, compare the totals with the balances, and verify the audit log. A difference is printed and halts the sends of its asset; exit code 1.',
  run: (terminal) =>
    terminal.withFoundation(async (foundation) => {
      const state = await countAndPrint(terminal, foundation);
      const onProgress = (done: string) => terminal.progress(done);
      const { head, finding } = await verifyAudit(foundation.audit, { digests: false, onProgress });
      terminal.progress('');
      const answer = {
        adds_up: state.findings.length === 0,
        accounts: accountJson(state.accounts, checkableAssets(foundation.networks)),
        findings: state.findings.map(({ rule, mode, assets, text }) => ({ rule, mode, assets, text })),
        unchecked: state.unchecked,
        audit: { entries: head.no, finding: toJson(finding) },
      };
      if (finding === undefined) terminal.print(`The audit log is intact: ${head.no} entries.`);
      if (state.findings.length > 0) {
        if (finding !== undefined) terminal.print(brokenAuditError(finding).message);
        throw new CommandError(
          'The ledger does not balance. Sends are halted: bin/sliproad halts list',
          'failed',
          answer,
        );
      }
      if (finding !== undefined) throw brokenAuditError(finding, answer);
      return answer;
    }),
});

const balancesCommand = defineCommand({
  name: 'ledger balances',
  summary: 'Show the debit or credit balance of every ledger account.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async (foundation) => {
      const { ledgerAudit, networks, clock } = foundation;
      const accounts = (await ledgerAudit.balances()).filter(
        (each) => mode === undefined || each.mode === mode,
      );
      const decimals = checkableAssets(networks);
      if (accounts.length === 0) terminal.print('The ledger is empty: it has no postings yet.');
      else printTable(terminal, accountRows(accounts, decimals));
      const ofModes = mode === undefined ? MODES : [mode];
      const assets = await Promise.all(
        ofModes.map(async (each) =>
          (await readBalances(foundation, each)).map((balances) => renderAsset(each, balances)),
        ),
      );
      return { as_of: isoTime(clock.now()), assets: assets.flat() };
    }),
});

const explainCommand = defineCommand({
  name: 'ledger explain',
  words: ['ID'],
  summary:
    'Show the ledger entries of a transaction, credit, deposit, movement or funding, and of its related records.',
  run: (terminal, { words: [id] }) =>
    terminal.withFoundation(async (foundation) => {
      const { ledgerAudit, networks } = foundation;
      const entries = await ledgerAudit.explain(id);
      if (entries.length === 0)
        throw new CommandError(
          `The ledger has no entry for "${id}". Use an id such as txn_…, crd_… or mov_….`,
          'not_found',
        );
      await recordReadOfRecord(foundation, foundation.actor, id, 'ledger explain');
      const decimals = checkableAssets(networks);
      printTable(terminal, entryRows(entries, decimals));
      const booked = await readEntriesAbout(foundation, id);
      return { entries: booked.map((each) => renderEntry(each, networks)) };
    }),
});

const fundCommand = defineCommand({
  name: 'ledger fund',
  summary:
    'Book tokens that you added to a treasury or, in test mode, naira that you added to the float. Live tokens need two people and are checked on the chain. For live naira use naira put-in. No money is moved.',
  options: {
    mode: REQUIRED_MODE,
    asset: { value: 'NGN|CODE@Network', needed: true, about: 'the asset, for example NGNC@Polygon' },
    amount: { value: 'AMOUNT', needed: true, about: 'amount in whole units' },
    account: {
      value: 'BANK:NUMBER',
      about: 'for test naira: the account of a rail, from naira accounts (default: the simulated bank)',
    },
    unseen: {
      about: 'the tokens arrived before the service read this network, or while it was down',
    },
  },
  run: (terminal, { options }) => {
    const { mode, asset, amount } = options;
    if (mode === 'live' && asset !== NAIRA && options.unseen === true)
      return terminal.withNetworks(async (foundation) => {
        const given = { mode, asset, amount, actor: foundation.actor };
        return showProposal(terminal, valueOrThrow(await proposeFunding(foundation, given)));
      });
    return terminal.withFoundation(async (foundation) => {
      const funded = await fundLedger(foundation, options);
      if (!funded.ok) throw new CommandError(funded.error, 'conflict');
      const { id, amountMinor } = funded.value;
      const decimals = checkableAssets(foundation.networks);
      const booked = amountText(amountMinor, mode, asset, decimals);
      terminal.print(
        `Recorded in the ledger: ${booked} (${mode} ${asset}) as ${id}. To see it: bin/sliproad ledger explain ${id}`,
      );
      return toJson(funded.value, decimals);
    });
  },
});

const unfundCommand = defineCommand({
  name: 'ledger unfund',
  words: ['FUNDING_ID'],
  summary: 'Propose to reverse a ledger fund entry, as long as its tokens are free. No money is moved.',
  options: {
    amount: { value: 'AMOUNT', about: 'amount in whole tokens (default: all that remains)' },
  },
  run: (terminal, { words: [fundingId], options: { amount } }) =>
    terminal.withFoundation(async (foundation) => {
      const given = { fundingId, amount, actor: foundation.actor };
      return showProposal(terminal, valueOrThrow(await proposeUnfunding(foundation, given)));
    }),
});

export const ledgerCommands: readonly Command[] = [
  ...[checkCommand, balancesCommand, explainCommand, fundCommand, unfundCommand],
];

async function countAndPrint(terminal: Terminal, foundation: DescribedFoundation): Promise<LedgerVerdict> {
  // This command prints the findings below, so they are not logged here.
  const state = await recountLedger({ ...foundation, onTrouble: () => undefined }, (postings) =>
    terminal.progress(`Counted ${postings} postings`),
  );
  terminal.progress('');
  if (state.accounts.length === 0) {
    terminal.print('The ledger is empty: it has no postings yet.');
    return state;
  }
  printTable(terminal, accountRows(state.accounts, checkableAssets(foundation.networks)));
  if (state.unchecked.length > 0) {
    terminal.print(
      `Assets with unknown decimals, so the rules across assets were not checked: ${state.unchecked.join(', ')}`,
    );
  }
  if (state.findings.length === 0) terminal.print('The ledger balances.');
  for (const { rule, text } of state.findings) terminal.print(`${rule}: ${text}`);
  return state;
}
