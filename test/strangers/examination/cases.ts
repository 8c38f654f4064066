// Lists the faults of the examination. Each sell has one fault, on each rail whose bank can have the fault.
import { RAILS, type Rail } from '../banks/books.ts';
import { NIP_REFUSALS } from '../banks/nip.ts';
import type { AskStep, Notice, OrderStep, Plan, Verdict } from '../banks/plan.ts';

export interface Case {
  readonly name: string;
  readonly rail: Rail;
  readonly plan: Plan;
  readonly elsewhere?: Readonly<Partial<Record<Rail, Plan>>>;
  /**
   * When the examination stops watching the sell. `completed`: the sell is completed. `asked`: the service queried the rail
   * twice, or the sell has ended. `watched`: the service has checked all rails for a while, because it waits for minutes before
   * it acts on a refusal.
   */
  readonly seen: 'completed' | 'asked' | 'watched';
  /** Whether the order moved no money, so that another rail may pay the sell. */
  readonly isTrulyRefused?: boolean;
}

const REFUSED = { providus: '51', paystack: 'failed', monnify: 'FAILED' } as const;
const PAID: Verdict = { word: 'paid' };
const PENDING: Verdict = { word: 'pending' };
const refused = (code: string): Verdict => ({ word: 'refused', code });
const moved = (more: Partial<OrderStep> = {}): OrderStep => ({ moves: true, says: PAID, ...more });
const asks = (...steps: readonly AskStep[]) => ({ asks: steps, askedLater: 'truth' as const });
const notice = (when: Notice['when'], says: Notice['says'], more: Partial<Notice> = {}): Notice => ({
  when,
  says,
  ...more,
});

/** The response stays open after the money moved. In the meantime the bank may send an event to the service. */
export function heldCases(): Case[] {
  return [
    {
      ...{ rail: 'providus', name: 'the answer never comes, and a repeated reference would be refused' },
      plan: { orders: [moved({ wire: 'held' })], refusesRepeats: true },
      seen: 'asked',
    },
    ...RAILS.flatMap((rail): Case[] => [
      { rail, name: 'the answer never comes', plan: { orders: [moved({ wire: 'held' })] }, seen: 'asked' },
      ...[1, 2, 3].map(
        (no): Case => ({ rail, name: `plain, beside it (${no})`, plan: {}, seen: 'completed' }),
      ),
      {
        rail,
        name: 'the answer comes late',
        plan: { orders: [moved({ wire: { heldMs: 2_000 } })] },
        seen: 'completed',
      },
    ]),
    ...withEvents.map((rail): Case => {
      const plan = { orders: [moved({ wire: 'held', notices: [notice('open', 'paid')] })] };
      return { rail, name: 'an event comes while the answer is open', plan, seen: 'asked' };
    }),
  ];
}

/** The service is killed while the responses of these cases are open. */
export function killedCases(): Case[] {
  return RAILS.map((rail): Case => {
    return {
      rail,
      name: 'killed while the answer is open',
      plan: { orders: [moved({ wire: 'held' })] },
      seen: 'asked',
    };
  });
}

export function otherCases(): Case[] {
  return [
    ...RAILS.flatMap(lostAnswers),
    ...RAILS.flatMap(doubtfulAnswers),
    ...refusals(),
    ...events(),
    ...outages(),
  ];
}

function lostAnswers(rail: Rail): Case[] {
  return [
    { rail, name: 'plain', plan: {}, seen: 'completed' },
    { rail, name: 'cut after the money moved', plan: { orders: [moved({ wire: 'cut' })] }, seen: 'asked' },
    {
      ...{ rail, name: 'cut before the money moved', seen: 'asked' },
      plan: {
        orders: [{ moves: false, says: PENDING, wire: 'cut' }],
        asks: [{ says: { word: 'not_found' } }],
      },
    },
    {
      rail,
      name: 'error 500 after the money moved',
      plan: { orders: [moved({ wire: 'error_500' })] },
      seen: 'asked',
    },
    { rail, name: 'half an answer', plan: { orders: [moved({ wire: 'truncated' })] }, seen: 'asked' },
    {
      ...{ rail, name: 'paid and refused in one answer', seen: 'asked' },
      plan: { orders: [moved({ says: { word: 'both', code: REFUSED[rail] } })] },
    },
    {
      ...{ rail, name: 'not found for a while', seen: 'asked' },
      plan: { orders: [moved({ wire: 'cut' })], ...asks(...Array.from({ length: 3 }, () => NOT_FOUND)) },
    },
  ];
}

const NOT_FOUND: AskStep = { says: { word: 'not_found' } };
const withEvents = ['paystack', 'monnify'] as const;

function doubtfulAnswers(rail: Rail): Case[] {
  const code = REFUSED[rail];
  return [
    {
      ...{ rail, name: 'pending for long', seen: 'asked' },
      plan: { orders: [moved({ says: PENDING })], asks: [{ says: PENDING }] },
    },
    {
      ...{ rail, name: 'asked, it names another amount', seen: 'asked' },
      plan: { orders: [moved({ wire: 'cut' })], asks: [{ says: PAID, kobo: 100_00n }] },
    },
    {
      ...{ rail, name: 'asked, it says paid and refused in one answer', seen: 'asked' },
      plan: { orders: [moved({ wire: 'cut' })], ...asks({ says: { word: 'both', code } }) },
    },
    {
      ...{ rail, name: 'asked, half of the answer comes', seen: 'asked' },
      plan: { orders: [moved({ wire: 'cut' })], ...asks({ says: 'truth', wire: 'truncated' }) },
    },
    {
      ...{ rail, name: 'refused, and paid when it is asked', seen: 'watched' },
      plan: {
        orders: [{ moves: false, says: refused(code) }],
        ...asks({ says: refused(code), thenMoves: true }),
      },
    },
  ];
}

/** The bank reports each code or word that the documentation calls a refusal, but has paid the order anyway. */
function refusals(): Case[] {
  const atOrder: Readonly<Record<Rail, readonly string[]>> = {
    providus: Object.keys(NIP_REFUSALS),
    paystack: ['failed', 'insufficient_balance'],
    monnify: ['FAILED', 'EXPIRED', 'D04', '99'],
  };
  const whenAsked: Readonly<Record<Rail, readonly string[]>> = {
    providus: ['51', '06', '12'],
    paystack: ['failed', 'rejected', 'blocked', 'abandoned', 'reversed'],
    monnify: ['FAILED', 'EXPIRED', 'REVERSED'],
  };
  return RAILS.flatMap((rail): Case[] => [
    ...atOrder[rail].map((code): Case => {
      const plan = { orders: [moved({ says: refused(code) })] };
      return { rail, name: `refused with ${code}, and paid`, plan, seen: 'watched' };
    }),
    ...whenAsked[rail].map((code): Case => {
      const step = { says: refused(code), thenMoves: true };
      const plan = { orders: [{ moves: false, says: PENDING }], ...asks(step) };
      return { rail, name: `asked, it says ${code}, and pays`, plan, seen: 'watched' };
    }),
    ...(rail === 'providus' ? ['51', '06'] : [atOrder[rail].at(-1)!, REFUSED[rail]]).map((code): Case => {
      const plan = { orders: [{ moves: false, says: refused(code) }] };
      return {
        rail,
        name: `refused with ${code}, and not paid`,
        plan,
        seen: 'watched',
        isTrulyRefused: true,
      };
    }),
  ]);
}

function events(): Case[] {
  return withEvents.flatMap((rail): Case[] => [
    {
      ...{ rail, name: 'its event comes three times', seen: 'completed' },
      plan: { orders: [moved({ says: PENDING, notices: [notice('answered', 'paid', { times: 3 })] })] },
    },
    {
      ...{ rail, name: 'a forged event says that it failed', seen: 'asked' },
      plan: {
        orders: [moved({ says: PENDING, notices: [notice('answered', 'failed', { isForged: true })] })],
        ...asks({ says: PENDING }),
      },
    },
    {
      ...{ rail, name: 'a forged event says that it is paid', seen: 'asked' },
      plan: {
        orders: [{ moves: false, says: PENDING, notices: [notice('answered', 'paid', { isForged: true })] }],
        asks: [{ says: PENDING }],
      },
    },
    {
      ...{ rail, name: 'a proven event says failed of a payout that is paid', seen: 'completed' },
      plan: { orders: [moved({ says: PENDING, notices: [notice('answered', 'failed')] })] },
    },
    {
      ...{ rail, name: 'a late event says failed of a payout that was confirmed', seen: 'completed' },
      plan: { orders: [moved({ notices: [notice('answered', 'failed')] })] },
    },
    {
      ...{ rail, name: 'refused, and an event says that it is paid', seen: 'watched' },
      plan: {
        orders: [moved({ says: refused(REFUSED[rail]), notices: [notice('answered', 'paid')] })],
      },
    },
  ]);
}

function outages(): Case[] {
  return RAILS.flatMap((rail): Case[] => [
    { rail, name: 'the name enquiry is away', plan: { namesAway: 2 }, seen: 'completed' },
    { rail, name: 'the account is dormant', plan: DORMANT[rail], elsewhere: DORMANT, seen: 'watched' },
  ]);
}

/** No bank pays a dormant account, however often the service repeats the order. */
const DORMANT: Readonly<Record<Rail, Plan>> = {
  providus: { orders: Array.from({ length: 20 }, () => ({ moves: false, says: refused('06') })) },
  paystack: dormantWhenAsked('failed'),
  monnify: dormantWhenAsked('FAILED'),
};

function dormantWhenAsked(code: string): Plan {
  const says: Verdict = { word: 'refused', code, reason: 'The account of the beneficiary is dormant' };
  return { orders: Array.from({ length: 20 }, () => ({ moves: false, says: PENDING })), asks: [{ says }] };
}
