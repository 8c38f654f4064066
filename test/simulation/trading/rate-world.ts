// Simulates the rate sources of a seed. They report rates around one true price, which moves and may fall sharply. Sources
// stop, refuse, hang, return old numbers and recover, and one of them reports wrong rates. The service knows only the responses
// of the sources.
import { referenceE4 } from '../../../src/domain/rates/bounds.ts';
import { CURRENCIES, type Currency } from '../../../src/domain/rates/rates.ts';
import type { ReportedRate } from '../../../src/domain/rates/reading.ts';
import { type RateSource, SourceFailure } from '../../../src/ports/rates.ts';
import type { Dice } from '../../support/dice.ts';
import type { Tale } from '../report/tell.ts';
import type { Agenda } from '../world/agenda.ts';

const LISTED: Readonly<Record<string, readonly Currency[]>> = {
  bank: ['USD', 'GBP', 'EUR', 'CNY', 'CHF'],
  exchange: ['USD'],
  table: CURRENCIES,
  other: CURRENCIES,
};

/** Few sources list these currencies, so a false rate for them is hard to detect. */
const RARE: readonly Currency[] = ['TRY', 'CAD', 'AED', 'KES'];

/** The ways in which a source can fail for a while, each with its weight in the random choice. */
const TROUBLES = { stops: 40, refuses: 10, hangs: 10, is_old: 15, is_ahead: 5 } as const;
const LIES = {
  tenfold: 10,
  hundredfold: 5,
  tenth: 5,
  zero: 10,
  more: 20,
  less: 20,
  near: 10,
  creeps: 20,
} as const;

interface Episode {
  readonly fromMs: number;
  readonly toMs: number;
  readonly kind: keyof typeof TROUBLES | keyof typeof LIES;
  /** The currency with false rates; null means all currencies. */
  readonly about: Currency | null;
}

interface Move {
  readonly atMs: number;
  readonly factorE4: bigint;
}

export interface RateWorld {
  readonly sources: readonly RateSource[];
  /** The lowest and the highest rate that an honest source could have reported so far. */
  honest(currency: Currency): { readonly lowE4: bigint; readonly highE4: bigint };
  calm(): void;
}

export interface RateWorldParts {
  readonly agenda: Agenda;
  readonly dice: Dice;
  readonly tale: Tale;
  readonly untilMs: number;
}

/** In this first period all sources report true rates, so that the service can compare later false rates with them. */
const QUIET_MS = 8_000;
const ONE = 10_000n;

export function makeRateWorld({ agenda, dice, tale, untilMs }: RateWorldParts): RateWorld {
  const startMs = agenda.now();
  const moves = drawMoves(dice, startMs, untilMs);
  const names = ['bank', 'exchange', 'table', ...(dice.percent(50) ? ['other'] : [])];
  const liar = dice.pick([...names, 'table']);
  let calmed = false;
  const sources = names.map((name): RateSource => {
    const lagMs = dice.below(20_000);
    const offBps = BigInt(dice.between(-40, 40));
    const troubles = drawEpisodes(dice, TROUBLES, LISTED[name]!, startMs, untilMs);
    const lies = name === liar ? drawEpisodes(dice, LIES, LISTED[name]!, startMs, untilMs) : [];
    let lieNo = 0n;
    const trueE4 = (currency: Currency) => {
      const factorE4 = factorAt(moves, calmed ? agenda.now() : agenda.now() - lagMs);
      return (referenceE4(currency) * factorE4 * (ONE + offBps)) / (ONE * ONE);
    };
    const read = (): readonly ReportedRate[] | 'nothing' => {
      const nowMs = agenda.now();
      const trouble = calmed ? undefined : episodeAt(troubles, nowMs);
      const lie = calmed ? undefined : episodeAt(lies, nowMs);
      if (trouble?.kind === 'stops') throw new SourceFailure('unreachable', 'The source is away.');
      if (trouble?.kind === 'refuses') throw new SourceFailure('refused', 'The source refuses.');
      if (trouble?.kind === 'hangs') return 'nothing';
      lieNo = lie === undefined ? 0n : lieNo + 1n;
      if (lie !== undefined) tale.line(name, `lies: ${lie.kind} ${lie.about ?? 'all'}`);
      const shiftMs = trouble === undefined ? 0 : trouble.kind === 'is_old' ? -600_000 : 1_200_000;
      return LISTED[name]!.map((currency) => {
        const isLie = lie !== undefined && (lie.about ?? currency) === currency;
        const valueE4 = isLie ? bent(trueE4(currency), lie.kind, lieNo) : trueE4(currency);
        return { currency, valueE4, asOfMs: nowMs + shiftMs };
      });
    };
    return {
      name,
      kind: 'simulated',
      everyMs: dice.between(4, 12) * 1_000,
      timeoutMs: 2_000,
      ageLimitMs: dice.pick([30_000, 45_000, 90_000]),
      read: async () => {
        const rates = read();
        return rates === 'nothing' ? new Promise(() => undefined) : rates;
      },
    };
  });
  return {
    sources,
    honest: (currency) => {
      const seen = moves.filter(({ atMs }) => atMs <= agenda.now()).map(({ factorE4 }) => factorE4);
      const sorted = seen.sort((a, b) => (a < b ? -1 : 1));
      const at = (factorE4: bigint, bps: bigint) =>
        (referenceE4(currency) * factorE4 * (ONE + bps)) / (ONE * ONE);
      return { lowE4: at(sorted[0]!, -40n), highE4: at(sorted.at(-1)!, 40n) };
    },
    calm: () => {
      calmed = true;
    },
  };
}

/** The price moves in small steps. In some seeds, the naira falls sharply on one day. */
function drawMoves(dice: Dice, startMs: number, untilMs: number): readonly Move[] {
  let factorE4 = ONE;
  const moves: Move[] = [{ atMs: 0, factorE4 }];
  const fallsAtMs = dice.percent(35) ? startMs + dice.between(15_000, untilMs - startMs) : null;
  for (let atMs = startMs; atMs < untilMs; atMs += dice.between(5_000, 25_000)) {
    const hasFallen = fallsAtMs !== null && atMs >= fallsAtMs && moves.at(-1)!.atMs < fallsAtMs;
    factorE4 =
      (factorE4 * BigInt(10_000 + (hasFallen ? dice.between(800, 4_000) : dice.between(-15, 15)))) / ONE;
    moves.push({ atMs, factorE4 });
  }
  return moves;
}

function factorAt(moves: readonly Move[], atMs: number): bigint {
  return moves.findLast((move) => move.atMs <= atMs)!.factorE4;
}

function drawEpisodes<Kind extends Episode['kind']>(
  dice: Dice,
  kinds: Readonly<Record<Kind, number>>,
  listed: readonly Currency[],
  startMs: number,
  untilMs: number,
): readonly Episode[] {
  const episodes: Episode[] = [];
  let fromMs = startMs + QUIET_MS + dice.below(40_000);
  while (fromMs < untilMs) {
    const toMs = fromMs + dice.between(5_000, 70_000);
    const about = dice.percent(50) ? null : dice.pick(listed.includes('TRY') ? RARE : listed);
    episodes.push({ fromMs, toMs, kind: dice.weighted(kinds), about });
    fromMs = toMs + dice.below(50_000);
  }
  return episodes;
}

function episodeAt(episodes: readonly Episode[], atMs: number): Episode | undefined {
  return episodes.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** Returns a false price. `lieNo` is the number of the false price in a row of false prices. */
function bent(valueE4: bigint, kind: Episode['kind'], lieNo: bigint): bigint {
  switch (kind) {
    case 'tenfold':
      return valueE4 * 10n;
    case 'hundredfold':
      return valueE4 * 100n;
    case 'tenth':
      return valueE4 / 10n;
    case 'zero':
      return 0n;
    case 'more':
      return (valueE4 * 13n) / 10n;
    case 'less':
      return (valueE4 * 3n) / 4n;
    case 'near':
      return (valueE4 * 103n) / 100n;
    default: {
      let crept = valueE4;
      for (let step = 0n; step < lieNo; step++) crept = (crept * 1_045n) / 1_000n;
      return crept;
    }
  }
}
