// Commands about the treasuries, which are the wallets that make sends, and about stuck sends.
import { recordAction } from '../../app/audit/record-actions.ts';
import { cancelSend } from '../../app/movements/sends/cancel-send.ts';
import type { TreasuryReading, TreasuryState } from '../../app/treasury/read-treasuries.ts';
import { type ShownTreasuries, showTreasuries } from '../../app/treasury/show-treasuries.ts';
import type { Movement } from '../../domain/records/movement.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { renderDisabledNetwork, renderSend, renderTreasury } from '../../renderings/treasury.ts';
import { type Command, defineCommand, printTable, type Terminal } from '../command.ts';
import { decimalText } from '../ledger-tables.ts';
import { CommandError } from '../terminal/command-error.ts';
import { type Json, nairaText } from '../terminal/json.ts';

const showCommand = defineCommand({
  name: 'treasury',
  summary: 'Show the balance of each treasury on its network and in the ledger.',
  run: (terminal) =>
    terminal.withNetworks(async (foundation) => {
      const { networks } = foundation;
      const all = await Promise.all(
        MODES.map(async (mode) => ({ mode, shown: await showTreasuries(foundation, mode) })),
      );
      const readings = all.flatMap(({ mode, shown }) => treasuryReadingsOf(mode, shown));
      if (readings.length === 0)
        terminal.print(
          'No network with a treasury is configured: simulated networks need none. See docs/operate/networks.md',
        );
      else printReadings(terminal, readings);
      return {
        treasuries: all.flatMap(({ mode, shown }) =>
          shown.treasuries.map((each) => renderTreasury(mode, each, networks)),
        ),
        disabled: all.flatMap(({ shown }) => shown.disabled.map(renderDisabledNetwork)),
        withdrawals: all.flatMap(({ shown }) => shown.withdrawals.map((each) => renderSend(each, networks))),
      };
    }),
});

/** The readings of the treasuries that are on a chain. A configured treasury that cannot be used now is included. */
function treasuryReadingsOf(
  mode: Mode,
  { treasuries, disabled }: ShownTreasuries,
): readonly TreasuryReading[] {
  return [
    ...treasuries.flatMap(({ network, chain, problem }): TreasuryReading[] => {
      if (chain !== null) return [chain];
      return problem === null ? [] : [{ mode, network, problem }];
    }),
    ...disabled.map(({ name, problem }) => ({ mode, network: name, problem })),
  ];
}

function printReadings(terminal: Terminal, readings: readonly TreasuryReading[]): void {
  const states = readings.filter((each): each is TreasuryState => !('problem' in each));
  if (states.length > 0) {
    printTable(terminal, [HEADS, ...states.map(rowOf)]);
    terminal.print('');
    printTable(terminal, [COIN_HEADS, ...states.map(coinRowOf)]);
    terminal.print(
      'ADDED = HELD + SPENT - GAINED. While no send is in progress, it changes only when you add or withdraw coin.',
    );
  }
  for (const reading of readings)
    if ('problem' in reading)
      terminal.print(`${reading.mode} ${reading.network} cannot be read: ${reading.problem}`);
  for (const { mode, network, low, chain } of states)
    for (const what of low)
      terminal.print(
        `${mode} ${network} is below its low-water mark: send ${what === 'token' ? 'tokens' : chain.native.asset} to ${chain.wallet}. Until then sends wait.`,
      );
  for (const { mode, network, unexplainedMinor, asset } of states)
    if (unexplainedMinor !== 0n)
      terminal.print(
        `${mode} ${network}: the ledger does not explain a difference of ${decimalText(unexplainedMinor, asset.decimals)}. ` +
          'After a top-up: bin/sliproad reviews list, then reviews propose own-funds. Otherwise: docs/operate/running-networks.md',
      );
}

const cancelCommand = defineCommand({
  name: 'sends cancel',
  words: ['MOVEMENT'],
  summary:
    'Cancel a stuck send by replacing it with a transaction that pays nothing; with --yes, also cancel the other sends in the same transaction (envelope). A reviewer then decides.',
  options: { yes: { about: 'also cancel the other sends in the same envelope' } },
  run: (terminal, { words: [movementId], options: { yes: othersToo } }) =>
    terminal.withNetworks(async (foundation) => {
      await recordAction(foundation, 'send.cancel', movementId, { othersToo });
      const outcome = await cancelSend(foundation, { movementId, othersToo });
      if (!outcome.ok) throw new CommandError(outcome.error, 'conflict');
      const answer = { movement_id: movementId, state: outcome.value.kind };
      if (outcome.value.kind === 'called_off') {
        terminal.print(
          `${movementId} was cancelled before it was signed. Its tokens are no longer reserved.`,
        );
        return answer;
      }
      if (outcome.value.kind === 'shared') {
        const { others } = outcome.value;
        terminal.print(`${movementId} shares its envelope with these sends, which would also be cancelled:`);
        printTable(terminal, [OTHER_HEADS, ...others.map(otherRowOf)]);
        throw new CommandError(
          'Nothing was cancelled. To cancel all of them, repeat the command with --yes.',
          'conflict',
          { ...answer, others: others.map(otherJson) },
        );
      }
      terminal.print(`Signed and broadcast: ${outcome.value.hash}`);
      terminal.print(
        'The network includes either the send or this replacement. If it includes the replacement, the transaction goes on hold as send_failed: bin/sliproad reviews list',
      );
      return { ...answer, tx_hash: outcome.value.hash };
    }),
});

export const treasuryCommands: readonly Command[] = [showCommand, cancelCommand];

const OTHER_HEADS = ['MOVEMENT', 'KIND', 'TRANSACTION', 'AMOUNT', 'STATE'];

function otherRowOf({ id, kind, transactionId, nairaMinor, state }: Movement): string[] {
  return [id, kind, transactionId ?? '-', formatNaira(nairaMinor), state];
}

function otherJson({ id, kind, transactionId, nairaMinor, state }: Movement): Json {
  return { id, kind, transaction_id: transactionId, naira: nairaText(nairaMinor), state };
}

const HEADS = [
  ...['MODE', 'NETWORK', 'WALLET', 'TOKENS', 'FREE', 'RESERVED'],
  ...['IN FLIGHT', 'UNSWEPT', 'FOR FEES', 'LOW'],
];

const COIN_HEADS = ['MODE', 'NETWORK', 'COIN', 'HELD', 'LOCKED', 'SPENT', 'GAINED', 'ADDED'];

function coinRowOf({ mode, network, chain, coin }: TreasuryState): string[] {
  const { asset, decimals, amountMinor, lockedMinor } = chain.native;
  const amounts = [
    ...[amountMinor + lockedMinor, lockedMinor, coin.spentMinor, coin.gainedMinor, coin.putInMinor],
  ];
  return [mode, network, asset, ...amounts.map((each) => decimalText(each, decimals))];
}

function rowOf({ mode, network, asset, chain, books, unsweptMinor, low }: TreasuryState): string[] {
  const tokens = (amountMinor: bigint) => decimalText(amountMinor, asset.decimals);
  const { native } = chain;
  return [
    ...[mode, network, chain.wallet, tokens(chain.tokenMinor), tokens(books.freeMinor)],
    ...[tokens(books.reservedMinor), tokens(books.inFlightMinor), tokens(unsweptMinor)],
    `${decimalText(native.amountMinor, native.decimals)} ${native.asset}`,
    low.join(', ') || '-',
  ];
}
