// Plays the operator's changes to rails while transactions are open: routes, weights, caps and pauses change at any time.
// Everything is restored before the end.
import type { Route } from '../../../src/domain/rails/settings.ts';
import { type Dice, makeDice } from '../../support/dice.ts';
import { pauseRail, resumeRail, setCaps } from '../world/rails/desk.ts';
import { RAIL_NAMES } from '../world/rails/rails.ts';
import type { Setting } from '../world/setting.ts';
import { MODE } from './company.ts';

const NAIRA = 100n;
const ROUTED_PERCENT = 70;

/** This call chooses at once all changes until `untilMs`. */
export function startRouting(setting: Setting, untilMs: number): void {
  const { agenda, seed, rails, tale } = setting;
  const dice = makeDice(`${seed} routing`);
  const routed = dice.percent(ROUTED_PERCENT);
  if (routed) rails.routes = drawRoutes(dice);
  // These caps are set before any process checks them.
  if (dice.percent(40))
    setCaps(
      rails,
      RAIL_NAMES.map((rail) => ({ mode: MODE, rail, perDayMinor: drawCap(dice) })),
      Number.NEGATIVE_INFINITY,
    );
  for (let no = dice.pick([0, 2, 5, 8]); no > 0; no--) {
    const does = drawDeed(setting, dice);
    agenda.at(dice.between(agenda.now(), untilMs), () => {
      tale.line('operator', does.what);
      does.run();
      rails.generation++;
    });
  }
  agenda.at(untilMs, () => {
    tale.line('operator', 'uses every rail');
    rails.routes = routed ? RAIL_NAMES.map((rail, index) => routeOf(rail, index)) : [];
    setCaps(rails, [], untilMs);
    for (const rail of RAIL_NAMES) resumeRail(rails, rail, false);
  });
}

interface Deed {
  readonly what: string;
  readonly run: () => void;
}

function drawDeed({ agenda, rails }: Setting, dice: Dice): Deed {
  const rail = dice.pick(RAIL_NAMES);
  switch (dice.weighted({ pause: 30, resume: 25, routes: 20, cap: 20, no_cap: 5 })) {
    case 'pause':
      return {
        what: `pauses ${rail}`,
        run: () => {
          resumeRail(rails, rail, false);
          const by = { byHealth: false, actor: 'operator', reason: 'a look' } as const;
          pauseRail(rails, { mode: MODE, rail, ...by, sinceMs: agenda.now() });
        },
      };
    case 'resume':
      return { what: `resumes ${rail}`, run: () => resumeRail(rails, rail, false) };
    case 'routes': {
      const routes = drawRoutes(dice);
      return {
        what: 'changes the routes',
        run: () => {
          rails.routes = routes;
        },
      };
    }
    case 'cap': {
      const perDayMinor = drawCap(dice);
      return {
        what: `caps ${rail} at ${perDayMinor}`,
        run: () => {
          const others = rails.caps.filter((each) => each.rail !== rail);
          setCaps(rails, [...others, { mode: MODE, rail, perDayMinor }], agenda.now());
        },
      };
    }
    case 'no_cap':
      return {
        what: `lifts the cap of ${rail}`,
        run: () =>
          setCaps(
            rails,
            rails.caps.filter((each) => each.rail !== rail),
            agenda.now(),
          ),
      };
  }
}

function drawCap(dice: Dice): bigint {
  return BigInt(dice.between(3, 60)) * 10_000n * NAIRA;
}

function drawRoutes(dice: Dice): readonly Route[] {
  const names = dice.percent(80) ? RAIL_NAMES : [dice.pick(RAIL_NAMES)];
  return names.map((rail, index) => ({
    ...routeOf(rail, index),
    priority: dice.pick([1, 1, 2]),
    weight: dice.pick([0, 1, 1, 5]),
    minMinor: dice.percent(20) ? 30_000n * NAIRA : null,
    maxMinor: dice.percent(20) ? 60_000n * NAIRA : null,
    bankCodes: dice.percent(10) ? ['044'] : null,
    costMinor: dice.pick([null, 1_000n, 2_500n]),
    enabled: dice.percent(90),
  }));
}

function routeOf(rail: string, index: number): Route {
  const wide = { minMinor: null, maxMinor: null, bankCodes: null, costMinor: null, enabled: true };
  return { id: index + 1, mode: MODE, rail, priority: 1, weight: 1, ...wide };
}
