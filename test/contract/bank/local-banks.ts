// Runs local banks for the contract suite. The suite moves the clock of these servers, they play the suite's troubles as
// faults, and the suite compares their own books.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BankFault } from '../../../local-banks/faults/kinds.ts';
import { type LocalBanks, startLocalBanks } from '../../../local-banks/start.ts';
import { loadBankDirectory } from '../../../src/adapters/catalogue/bank-directory.ts';
import type { RailDeps } from '../../../src/adapters/rails/rail-kind.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import { limitMs } from '../../support/patience.ts';
import type { BankHarness, Trouble } from './harness.ts';

export type LocalRail = 'providus' | 'paystack' | 'monnify';

const STEP_MS = 250;
/** The timeout of a call whose response must arrive too late. */
const SHORT_MS = 1_500;
const WAIT_SECONDS = 3;

const COMMON: Readonly<Partial<Record<Trouble, Omit<BankFault, 'rail'>>>> = {
  pay_not_sent: { kind: 'cut-before' },
  pay_answer_lost: { kind: 'cut-after' },
  pay_late: { kind: 'timeout-after' },
  pay_cut: { kind: 'cut-middle' },
  pay_undocumented: { kind: 'unknown-status' },
  pay_repeated_field: { kind: 'repeated-field' },
  pay_refused: { kind: 'in-progress-then-failure', seconds: 1 },
  pay_bad_account: { kind: 'dormant' },
  pay_no_money: { kind: 'insufficient' },
  paid_then_returned: { kind: 'success-then-reversed', seconds: WAIT_SECONDS },
  failed_then_paid: { kind: 'failed-then-success', seconds: WAIT_SECONDS },
  ask_lost: { kind: 'cut-after', operation: 'status' },
  ask_undocumented: { kind: 'unknown-status', operation: 'status' },
  ask_not_found: { kind: 'not-found' },
  enquiry_lost: { kind: 'cut-after', operation: 'name' },
  balance_lost: { kind: 'cut-after', operation: 'balance' },
  read_lost: { kind: 'cut-after', operation: 'credits' },
};

/**
 * These troubles need two faults together: the response to the payout order is lost, and for a while the rail does not know the
 * reference.
 */
const PAIRS: Readonly<Partial<Record<Trouble, readonly Omit<BankFault, 'rail'>[]>>> = {
  pay_not_found: [{ kind: 'hidden', seconds: WAIT_SECONDS }, { kind: 'cut-after' }],
};

export interface LocalStage {
  readonly banks: LocalBanks;
  readonly deps: RailDeps;
  readonly harness: BankHarness;
}

/** The adapter reads the timeout at each call. It is short while a response must arrive too late, and otherwise long. */
interface CallTimes {
  readonly timeoutMs: number;
}

interface LocalRailParts {
  readonly name: LocalRail;
  /** The duration of one step of the suite. The 400 steps of a case together must be longer than the waits of the bank. */
  readonly stepMs?: number;
  /** The troubles that this rail plays in another way; null for a trouble that it cannot play. */
  readonly own?: Readonly<Partial<Record<Trouble, Omit<BankFault, 'rail'> | null>>>;
  /** Opens the adapter. `url` is the URL of the bank, or a URL where no server listens. */
  open(banks: LocalBanks, url: string, deps: RailDeps, times: CallTimes): Rail;
  outside?(stage: Omit<LocalStage, 'harness'>): NonNullable<BankHarness['outside']>;
}

export async function localHarness(parts: LocalRailParts): Promise<BankHarness> {
  const { name, own = {}, stepMs = STEP_MS, open, outside } = parts;
  const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-contract-'));
  let nowMs = Date.parse('2026-11-16T10:00:00Z');
  const banks = await startLocalBanks({ dir, now: () => nowMs });
  const deps = { directory: loadBankDirectory(), clock: { now: () => nowMs } };
  banks.setAccount({ number: '0123456785', name: 'ADA OBI' });
  const nowhere = await freeUrl();
  const times = { timeoutMs: limitMs('answer') };
  const faultsOf = (trouble: Trouble) => {
    const mine = own[trouble];
    if (mine === null) return [];
    if (mine !== undefined) return [mine];
    const common = COMMON[trouble];
    return PAIRS[trouble] ?? (common === undefined ? [] : [common]);
  };
  const troubles = [...Object.keys(COMMON), ...Object.keys(PAIRS), ...Object.keys(own)] as Trouble[];
  return {
    rail: open(banks, banks[name].url, deps, times),
    restarted: () => open(banks, banks[name].url, deps, times),
    unconnected: () => open(banks, nowhere, deps, times),
    balanceMinor: () => koboOf(banks.books()[name].balance),
    account: { bankCode: 'guaranty-trust-bank', accountNumber: '0123456785', accountName: 'ADA OBI' },
    noAccount: '0000000000',
    troubles: new Set(troubles.filter((trouble) => faultsOf(trouble).length > 0)),
    meet: async (trouble, subject) => {
      times.timeoutMs = trouble === 'pay_late' ? SHORT_MS : limitMs('answer');
      for (const fault of faultsOf(trouble))
        banks.setFault({ ...fault, rail: name, ...aboutOf(fault.operation, subject) });
    },
    pass: async () => {
      times.timeoutMs = limitMs('answer');
      nowMs += stepMs;
      await banks.settle();
    },
    paid: async (reference) =>
      banks
        .books()
        [name].payouts.filter((each) => each.reference === reference)
        .filter(({ history }) => history.some(({ state }) => state === 'paid'))
        .map(({ amount }) => koboOf(amount)),
    ...(outside !== undefined && { outside: outside({ banks, deps }) }),
    another: () => localHarness(parts),
    close: async () => {
      await banks.close();
      rmSync(dir, { recursive: true });
    },
  };
}

function aboutOf(
  operation: BankFault['operation'],
  subject: string,
): Pick<BankFault, 'account' | 'reference'> {
  if (operation === 'balance' || operation === 'credits') return {};
  return operation === 'name' ? { account: subject } : { reference: subject };
}

/** `15250.50` */
function koboOf(naira: string): bigint {
  return BigInt(naira.replace('.', ''));
}

async function freeUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
