// The rail of test mode. It is a simulated bank that answers name enquiries, makes payouts and keeps a statement of the
// operator's accounts. The actions of testers (a payment in, a reversed payment, a returned payout) appear only in that
// statement.
import { SIMULATED_TERMS } from '../../../domain/rails/terms.ts';
import type { Rail, RailPace } from '../../../ports/rails/rail.ts';
import type {
  NameEnquiryAnswer,
  NameEnquiryRequest,
  RailPayouts,
} from '../../../ports/rails/rail-payouts.ts';
import type {
  CreditLine,
  NoticeLine,
  RailStatement,
  StatementPage,
} from '../../../ports/rails/rail-statement.ts';
import type { Sandbox, TesterCredit } from '../../../ports/sandbox.ts';
import type { WorldPayout } from '../../simulation/simulated-world.ts';
import {
  ConnectionLost,
  failIfDisconnected,
  readLogPosition,
  runOrUnknown,
  type Simulation,
} from '../../simulation/simulation.ts';
import { isPaid, makeSimulatedPayouts } from './payouts.ts';

const PAGE = 500;
/** The simulated bank responds at once, so the service queries it often. */
const PACE: RailPace = { readEveryMs: 0, askAfterMs: 300 };
const NO_ACCOUNT = '0000000000';
const UNNAMED_HOLDER = 'SANDBOX ACCOUNT HOLDER';
const OTHER_HOLDER = 'ANOTHER ACCOUNT HOLDER';

export interface SimulatedBank extends Rail, Pick<Sandbox, 'payIn' | 'reverse' | 'returnPayout'> {
  readonly payouts: RailPayouts;
  readonly statement: RailStatement;
  /**
   * Returns the payouts of a transaction that were made or are certain. More than one means that the transaction was paid
   * twice.
   */
  paidOut(transactionId: string): Promise<readonly WorldPayout[]>;
}

export function makeSimulatedBank(simulation: Simulation): SimulatedBank {
  return {
    name: 'simulated',
    pace: PACE,
    terms: SIMULATED_TERMS,
    account: null,
    payouts: {
      reaches: () => true,
      enquireName: (question) => runOrUnknown(() => enquireSimulatedName(simulation, question)),
      ...makeSimulatedPayouts(simulation),
      balance: () => Promise.resolve({ kind: 'unknown', reason: 'the simulated bank has unlimited naira' }),
    },
    statement: { read: (position) => readStatement(simulation, position) },
    payIn: (id, credit, copies) => payIn(simulation, id, credit, copies),
    reverse: async (payment) => {
      const sourceId = typeof payment === 'string' ? payment : sourceIdOfTester(payment);
      const stored = await simulation.world.statement.find({ kind: 'credit', sourceId });
      if (stored === undefined) return false;
      await reportLine(simulation, makeNotice('credit_reversed', sourceId, stored.line.amountMinor));
      return true;
    },
    returnPayout: async (reference) => {
      const stored = await simulation.world.payouts.find({ reference });
      if (stored === undefined || !isPaid(stored, simulation.clock.now())) return false;
      await reportLine(simulation, makeNotice('payout_returned', reference, stored.amountMinor));
      return true;
    },
    paidOut: async (transactionId) =>
      (await simulation.world.payouts.ofTransaction(transactionId)).filter(({ fate }) => fate !== 'fails'),
  };
}

async function enquireSimulatedName(
  simulation: Simulation,
  question: NameEnquiryRequest,
): Promise<NameEnquiryAnswer> {
  const { accountNumber, expectedName, about } = question;
  failIfDisconnected(simulation, 'enquire', accountNumber);
  if (accountNumber === NO_ACCOUNT) return { kind: 'no_account' };
  const scenario = about === null ? undefined : await simulation.world.plays.scenarioOf(about);
  if (scenario === 'payout_name_mismatch') return { kind: 'found', name: OTHER_HOLDER };
  return { kind: 'found', name: expectedName ?? UNNAMED_HOLDER };
}

async function payIn(
  simulation: Simulation,
  ...[id, credit, copies]: Parameters<Sandbox['payIn']>
): Promise<void> {
  const { world, clock, chance, paceMs } = simulation;
  const valueAtMs = clock.now();
  const { tester, ...reported } = credit;
  const raw = { ...reported, amountMinor: reported.amountMinor.toString() };
  const line: CreditLine = {
    ...{ kind: 'credit', sourceId: tester ? sourceIdOfTester(tester) : id, ...reported, valueAtMs, raw },
    ...(tester !== undefined && { tester }),
  };
  const trouble = chance.trouble('pay in', id, ['slow', 'reported_twice']);
  const reportedAtMs = trouble === 'slow' ? valueAtMs + 3 * paceMs : valueAtMs;
  const times = trouble === 'reported_twice' ? copies + 1 : copies;
  const first = await world.statement.put({ copy: 1, reportedAtMs, line });
  // A repeated id refers to the first payment, even if the other values differ. So a repeated payment adds no line.
  if (first.tries > 1) return;
  for (let copy = 2; copy <= times; copy++) await world.statement.put({ copy, reportedAtMs, line });
}

/** The id contains the business, so that no business can reverse a payment of another business. */
function sourceIdOfTester({ businessId, creditId }: TesterCredit): string {
  return `${businessId}/${creditId}`;
}

function makeNotice(kind: NoticeLine['kind'], about: string, amountMinor: bigint): NoticeLine {
  return { kind, sourceId: `${kind}:${about}`, about, amountMinor, raw: { about } };
}

async function reportLine({ world, clock }: Simulation, line: NoticeLine): Promise<void> {
  await world.statement.put({ copy: 1, reportedAtMs: clock.now(), line });
}

async function readStatement(simulation: Simulation, text: string | null): Promise<StatementPage> {
  const position = readLogPosition(text);
  const trouble = simulation.chance.trouble('statement', 'statement', ['no_connection', 'repeated']);
  if (trouble === 'no_connection') throw new ConnectionLost('the connection failed');
  const rows = await simulation.world.statement.after(position, PAGE);
  // A statement line that is reported late also delays the lines after it. Otherwise the position would move past the late
  // line, and the line would be lost.
  const nowMs = simulation.clock.now();
  const late = rows.findIndex(({ reportedAtMs }) => reportedAtMs > nowMs);
  const reported = late < 0 ? rows : rows.slice(0, late);
  const lines = reported.map(({ line }) => line);
  return {
    lines: trouble === 'repeated' ? [...lines, ...lines] : lines,
    position: `${reported.at(-1)?.position ?? position}`,
  };
}
