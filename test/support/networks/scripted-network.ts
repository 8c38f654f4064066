// A process with a scripted Polygon, which signs and lands payments as the script says and records the requests. Everything
// else, especially the store, is real.
import assert from 'node:assert/strict';
import { DeathProof } from '../../../src/domain/movements/proof-of-death.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type {
  Envelope,
  Payment,
  SendStatus,
  SignedTransaction,
  SigningResult,
  WalletTurn,
} from '../../../src/ports/networks/network-payer.ts';
import { openRig } from '../settlement.ts';

export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const FINAL = { kind: 'final', evidence: {}, unpaid: [], cost: null } as const;

export interface Script {
  readonly sign?: (payments: readonly Payment[], turn: WalletTurn) => SigningResult;
  readonly statusOf?: (envelope: Envelope) => SendStatus;
  readonly more?: Partial<Network>;
}

export const landed = ({ versions }: Envelope): SendStatus => ({ ...FINAL, hash: versions.at(-1)!.hash });

export async function openScriptedRig() {
  const rig = await openRig();
  const { bytes, allInOne } = makeSigning(rig);
  /** Waits until the leases of an earlier process on the bank and the networks have expired. */
  const feedsAreFree = () => rig.pass(16_000);
  const attemptsOf = (id: string) =>
    rig.rows<{ no: number; state: string; reference: string; index: number; payload: string | null }>(
      `select a.no, a.state, a.reference, a.envelope_index as index, a.payload from movement_attempts a join movements m on m.id = a.movement_id
       where m.transaction_id = $1 order by a.no`,
      id,
    );
  return {
    rig,
    bytes,
    allInOne,
    scripted: (script: Script = {}) => openScripted(rig, { sign: allInOne, ...script }),
    feedsAreFree,
    paidBuys: makePaidBuys(rig, feedsAreFree),
    untilAll: makeUntilAll(rig),
    attemptsOf,
  };
}

type Rig = Awaited<ReturnType<typeof openRig>>;

function makeSigning(rig: Rig) {
  let signed = 0;
  const bytes = (
    payments: readonly Payment[],
    sequence: string | null = null,
  ): SigningResult['envelopes'][number] => ({
    hash: `0xhash${++signed}`,
    source: WALLET,
    sequence,
    payload: `bytes ${signed}`,
    bound: null,
    signedAtMs: rig.now(),
    orderIds: payments.map(({ orderId }) => orderId),
  });
  /** Puts all payments into one envelope, except those that must be sent alone. */
  const allInOne = (payments: readonly Payment[]): SigningResult => {
    const groups = [
      payments.filter(({ alone }) => !alone),
      ...payments.filter(({ alone }) => alone).map((p) => [p]),
    ];
    return {
      envelopes: groups.filter((group) => group.length > 0).map((group) => bytes(group)),
      waiting: [],
    };
  };
  return { bytes, allInOne };
}

/** Opens a process with a scripted Polygon, and records the broadcasts and queries that this Polygon received. */
function openScripted(
  rig: Rig,
  { sign, statusOf = landed, more = {} }: Script & Required<Pick<Script, 'sign'>>,
) {
  const sent: SignedTransaction[] = [];
  const asked: Envelope[] = [];
  const payments: (readonly Payment[])[] = [];
  const polygon: Partial<Network> = {
    prepare: async (given, turn) => {
      payments.push(given);
      return sign(given, turn);
    },
    broadcast: async (prepared) => {
      sent.push(prepared);
      return { kind: 'accepted' };
    },
    ask: async (envelope) => {
      asked.push(envelope);
      return statusOf(envelope);
    },
    shows: async () => false,
    ...more,
  };
  const process = rig.another({ network: (real) => (real.name === 'Polygon' ? polygon : {}) });
  return { process, sent, asked, payments };
}

function makePaidBuys(rig: Rig, feedsAreFree: () => void) {
  let people = 0;
  return async (count: number, changes: Partial<Transaction> = {}): Promise<string[]> => {
    const ids: string[] = [];
    for (let each = 0; each < count; each++) {
      const accountNumber = `${6_000_000_000 + ++people * 7_919}`;
      const amountMinor = 2_500_000n + BigInt(people);
      ids.push((await rig.buy({ accountNumber, amountMinor, ...changes })).id);
      await rig.payIn({ payerAccount: accountNumber, amountMinor });
    }
    feedsAreFree();
    return ids;
  };
}

function makeUntilAll(rig: Rig) {
  return async (
    process: { run(): Promise<boolean> },
    ids: readonly string[],
    state: string,
  ): Promise<void> => {
    for (let step = 0; step < 200; step++) {
      const isBusy = await process.run();
      // If the process did nothing, the states have not changed, so they are not read again.
      const found = isBusy || step === 0 ? await Promise.all(ids.map((id) => rig.find(id))) : [];
      if (found.length > 0 && found.every((each) => each.state === state)) return;
      rig.pass(200);
    }
    const found = await Promise.all(ids.map((id) => rig.find(id)));
    assert.fail(`not ${state}: ${found.map((each) => `${each.state} ${each.stateReason}`).join(', ')}`);
  };
}

// A proof from one provider that a transaction is dead, for tests of what the service does with such a proof.

export const DEATH: DeathProof = DeathProof.byAbsence(
  [{ provider: 'a provider', observedAt: 2n, impossibleFrom: 1n }],
  1,
)!;
