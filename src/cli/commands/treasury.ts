// The wallets that pay, and sends that do not get through.
import { cancelSend } from '../../app/movements/cancel-send.ts';
import { readTreasuries, type TreasuryState } from '../../app/treasury/read-treasuries.ts';
import type { Movement } from '../../domain/records/movement.ts';
import { type Command, CommandError, readOptions, required, table } from '../command.ts';
import { decimalText } from '../ledger-tables.ts';

export const treasuryCommands: readonly Command[] = [
  {
    name: 'treasury',
    usage: '',
    summary: 'Show what the wallets that pay hold, per network, beside what the books say.',
    run: (terminal) =>
      terminal.withNetworks(async (foundation) => {
        const readings = await readTreasuries(foundation);
        if (readings.length === 0) {
          return terminal.print(
            'No network with a treasury is configured: simulated networks never run out. See docs/adding-a-network.md',
          );
        }
        const states = readings.filter((each): each is TreasuryState => !('problem' in each));
        terminal.print(table([HEADS, ...states.map(rowOf)]));
        if (states.length > 0) {
          terminal.print('');
          terminal.print(table([COIN_HEADS, ...states.map(coinRowOf)]));
          terminal.print(
            'PUT IN is HELD and SPENT less GAINED: while nothing is under way, only coin that you send or take yourself changes it.',
          );
        }
        for (const reading of readings)
          if ('problem' in reading)
            terminal.print(`${reading.mode} ${reading.network} cannot be read: ${reading.problem}`);
        for (const { mode, network, low, chain } of states)
          for (const what of low)
            terminal.print(
              `${mode} ${network} is below its mark: send ${what === 'token' ? 'tokens' : chain.native.asset} to ${chain.wallet}. Until then sends wait.`,
            );
        for (const { mode, network, unexplainedMinor, asset } of states)
          if (unexplainedMinor !== 0n)
            terminal.print(
              `${mode} ${network}: ${decimalText(unexplainedMinor, asset.decimals)} are not explained by the books. ` +
                'After a top-up: bin/sliproad ledger fund. Otherwise: docs/operating.md',
            );
      }),
  },
  {
    name: 'sends cancel',
    usage: 'MOVEMENT [--yes]',
    summary:
      'Take the place of a stuck send, and of all signed with it (--yes), with a transaction that pays nobody. It is then for people to decide.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { yes: 'flag' });
      const movementId = required(rest[0], 'MOVEMENT');
      return terminal.withNetworks(async (foundation) => {
        const othersToo = options.yes !== undefined;
        const outcome = await cancelSend(foundation, { movementId, othersToo });
        if (!outcome.ok) throw new CommandError(outcome.error);
        if (outcome.value.kind === 'called_off')
          return terminal.print(`${movementId} is called off, and its tokens are free again.`);
        if (outcome.value.kind === 'shared') {
          const { others } = outcome.value;
          terminal.print(
            `${movementId} was signed together with others, and they would be cancelled with it:`,
          );
          terminal.print(table([OTHER_HEADS, ...others.map(otherRowOf)]));
          throw new CommandError('Nothing was cancelled. To cancel all of them: the same command with --yes');
        }
        terminal.print(`Signed and told to the network: ${outcome.value.hash}`);
        terminal.print(
          'Whichever of the two lands decides. If it is this one, the transaction goes on hold as send_failed: bin/sliproad reviews list',
        );
      });
    },
  },
];

const OTHER_HEADS = ['MOVEMENT', 'KIND', 'TRANSACTION', 'NAIRA', 'STATE'];
const KOBO_DECIMALS = 2;

function otherRowOf({ id, kind, transactionId, nairaMinor, state }: Movement): string[] {
  return [id, kind, transactionId ?? '-', decimalText(nairaMinor, KOBO_DECIMALS), state];
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
