// The treasuries, which are the wallets that pay, and sends that are stuck.
import { recordAction } from '../../app/audit/record-action.ts';
import { cancelSend } from '../../app/movements/cancel-send.ts';
import { readTreasuries, type TreasuryState } from '../../app/treasury/read-treasuries.ts';
import type { Movement } from '../../domain/records/movement.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { type Command, CommandError, readOptions, required, table } from '../command.ts';
import { decimalText } from '../ledger-tables.ts';

export const treasuryCommands: readonly Command[] = [
  {
    name: 'treasury',
    usage: '',
    summary: 'Show the balance of each treasury on its network, and what the ledger expects.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withNetworks(async (foundation) => {
        const readings = await readTreasuries(foundation);
        if (readings.length === 0) {
          return terminal.print(
            'No network with a treasury is configured: simulated networks need none. See docs/adding-a-network.md',
          );
        }
        const states = readings.filter((each): each is TreasuryState => !('problem' in each));
        terminal.print(table([HEADS, ...states.map(rowOf)]));
        if (states.length > 0) {
          terminal.print('');
          terminal.print(table([COIN_HEADS, ...states.map(coinRowOf)]));
          terminal.print(
            'PUT IN = HELD + SPENT - GAINED. While no send is in progress, it changes only when you add or withdraw coin.',
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
              `${mode} ${network}: ${decimalText(unexplainedMinor, asset.decimals)} are not explained by the ledger. ` +
                'After a top-up: bin/sliproad ledger fund. Otherwise: docs/operating.md',
            );
      });
    },
  },
  {
    name: 'sends cancel',
    usage: 'MOVEMENT [--yes]',
    summary:
      'Replace a stuck send with a transaction that pays no one, and with --yes all sends in the same envelope. A reviewer then decides.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { yes: 'flag' }, 1);
      const movementId = required(rest[0], 'MOVEMENT');
      return terminal.withNetworks(async (foundation) => {
        const othersToo = options.yes !== undefined;
        await recordAction(foundation, 'send.cancel', movementId, { othersToo });
        const outcome = await cancelSend(foundation, { movementId, othersToo });
        if (!outcome.ok) throw new CommandError(outcome.error);
        if (outcome.value.kind === 'called_off')
          return terminal.print(
            `${movementId} is cancelled before it was signed, and its tokens are no longer reserved.`,
          );
        if (outcome.value.kind === 'shared') {
          const { others } = outcome.value;
          terminal.print(
            `${movementId} is in one envelope with these sends, which would be cancelled with it:`,
          );
          terminal.print(table([OTHER_HEADS, ...others.map(otherRowOf)]));
          throw new CommandError(
            'Nothing was cancelled. To cancel all of them, repeat the command with --yes.',
          );
        }
        terminal.print(`Signed and broadcast: ${outcome.value.hash}`);
        terminal.print(
          'Only one of the two can be included. If it is this one, the transaction goes on hold as send_failed: bin/sliproad reviews list',
        );
      });
    },
  },
];

const OTHER_HEADS = ['MOVEMENT', 'KIND', 'TRANSACTION', 'AMOUNT', 'STATE'];

function otherRowOf({ id, kind, transactionId, nairaMinor, state }: Movement): string[] {
  return [id, kind, transactionId ?? '-', formatNaira(nairaMinor), state];
}

const HEADS = [
  'MODE',
  'NETWORK',
  'WALLET',
  'TOKENS',
  'FREE',
  'RESERVED',
  'IN FLIGHT',
  'UNSWEPT',
  'FOR FEES',
  'LOW',
];

const COIN_HEADS = ['MODE', 'NETWORK', 'COIN', 'HELD', 'LOCKED', 'SPENT', 'GAINED', 'PUT IN'];

function coinRowOf({ mode, network, chain, coin }: TreasuryState): string[] {
  const { asset, decimals, amountMinor, lockedMinor } = chain.native;
  const amounts = [
    amountMinor + lockedMinor,
    lockedMinor,
    coin.spentMinor,
    coin.gainedMinor,
    coin.putInMinor,
  ];
  return [mode, network, asset, ...amounts.map((each) => decimalText(each, decimals))];
}

function rowOf({ mode, network, asset, chain, books, unsweptMinor, low }: TreasuryState): string[] {
  const tokens = (amountMinor: bigint) => decimalText(amountMinor, asset.decimals);
  const { native } = chain;
  return [
    mode,
    network,
    chain.wallet,
    tokens(chain.tokenMinor),
    tokens(books.freeMinor),
    tokens(books.reservedMinor),
    tokens(books.inFlightMinor),
    tokens(unsweptMinor),
    `${decimalText(native.amountMinor, native.decimals)} ${native.asset}`,
    low.join(', ') || '-',
  ];
}
