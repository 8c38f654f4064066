// The sources and destinations of money in a seed: the accounts of payers with their owners, and wallets. There are few of
// each, so that some payments look alike.
import type { SimulatedNetwork } from '../../../src/adapters/networks/simulated/network.ts';
import type { SimulatedBank } from '../../../src/adapters/rails/simulated/bank.ts';
import type { Dice } from '../../support/dice.ts';
import { WALLETS } from '../../support/wallets.ts';
import type { Agenda } from './agenda.ts';

export const NETWORKS = ['Polygon', 'Stellar', 'Solana', 'Avalanche'] as const;
const NAMES = ['Adaeze Okafor', 'Musa Ibrahim', 'Folake Adeyemi', 'Chinedu Eze'] as const;

export function accountOf(number: number): string {
  return `01234567${String(number).padStart(2, '0')}`;
}

/** One payer's account in four has the same owner name. */
export function ownerOf(accountNumber: string): string {
  return NAMES[Number(accountNumber.slice(-2)) % NAMES.length]!;
}

export function namesakeOf(accountNumber: string): string {
  return accountOf((Number(accountNumber.slice(-2)) + NAMES.length) % 100);
}

const WALLETS_MADE: ReadonlyMap<string, readonly string[]> = new Map(
  NETWORKS.map((network) => [network, Array.from({ length: 8 }, (_, fill) => WALLETS[network]!(fill + 1))]),
);

export function walletsOn(network: string): readonly string[] {
  return WALLETS_MADE.get(network)!;
}

export function walletOn(network: string, dice: Dice): string {
  return dice.pick(walletsOn(network));
}

/** If the request contains no expected name, the bank returns the name of the owner of the payer's account. */
export function knowingOwners(bank: SimulatedBank): SimulatedBank {
  return {
    ...bank,
    payouts: {
      ...bank.payouts,
      enquireName: async (question) => {
        const answer = await bank.payouts.enquireName(question);
        const known = answer.kind === 'found' && question.expectedName === null;
        return known ? { kind: 'found', name: ownerOf(question.accountNumber).toUpperCase() } : answer;
      },
    },
  };
}

export function withWallets(
  network: SimulatedNetwork,
  { now }: Pick<Agenda, 'now'>,
  unreadyUntilMs: ReadonlyMap<string, number>,
): SimulatedNetwork {
  if (unreadyUntilMs.size === 0) return network;
  return {
    ...network,
    recipientReady: async (payment) => {
      const ready = await network.recipientReady(payment);
      return ready === 'ready' && (unreadyUntilMs.get(payment.to) ?? 0) > now() ? 'waiting' : ready;
    },
  };
}
