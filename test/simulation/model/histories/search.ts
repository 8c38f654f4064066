// Searches for an order of the statements of several operations that explains each result and the data that is stored
// afterwards.
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../../../src/domain/records/change.ts';
import type { Model } from '../model.ts';
import type { Operation } from './operation.ts';
import type { Result } from './stage.ts';
import { modelState, type State, shown } from './state.ts';
import { type Work, workOf } from './works.ts';

export interface Answered {
  readonly operation: Operation;
  readonly result: Result;
  readonly touchedByOthers: ReadonlySet<string>;
}

export interface Explained {
  readonly model: Model;
  /** The index of the operation that ran each statement, in order. */
  readonly order: readonly number[];
}

interface Nearest {
  order: readonly number[];
  reasons: readonly string[];
}

/** The maximum number of states to search. A round needs fewer. */
const MAX_MOMENTS = 20_000;

/** If the search finds no order, it throws an error with the nearest order. */
export function findOrder(model: Model, round: readonly Answered[], after: State): Explained {
  const nearest: Nearest = { order: [], reasons: [] };
  let seen = 0;
  // These searches were already made: they had the same remaining work on the same state.
  const known = new Map<Model, Set<string>>();
  const isKnown = (now: Model, left: readonly (Work | undefined)[]): boolean => {
    const name = left.map((work) => work?.name ?? '').join(' | ');
    const names = known.get(now) ?? new Set();
    known.set(now, names);
    if (names.has(name)) return true;
    names.add(name);
    return false;
  };
  const search = (
    now: Model,
    left: readonly (Work | undefined)[],
    order: readonly number[],
  ): Explained | undefined => {
    if (isKnown(now, left)) return undefined;
    if (++seen > MAX_MOMENTS) throw new Error(`more than ${MAX_MOMENTS} moments: ${described(round)}`);
    const reasons: string[] = [];
    if (left.every((work) => work === undefined)) {
      const state = rememberedBy(now);
      if (isDeepStrictEqual(state, after)) return { model: now, order };
      reasons.push(...differences(state, after));
    }
    for (const [index, work] of left.entries()) {
      if (work === undefined) continue;
      const outcome = work.next(now);
      if ('why' in outcome) {
        reasons.push(`${index} cannot be next: ${outcome.why}`);
        continue;
      }
      for (const moment of outcome.moments) {
        const found = search(moment.model, left.with(index, moment.left), [...order, index]);
        if (found !== undefined) return found;
      }
    }
    if (reasons.length > 0 && order.length >= nearest.order.length)
      Object.assign(nearest, { order, reasons });
    return undefined;
  };
  const works = round.map(({ operation, result, touchedByOthers }) =>
    workOf(operation, result, touchedByOthers),
  );
  const start = model.snapshot();
  for (const { operation } of round)
    if (operation.verb === 'commit') start.core.openAccounts(operation.given[0] as readonly Change[]);
  const found = search(start, works, []);
  if (found !== undefined) return found;
  const near = `nearest order: ${nearest.order.join(', ')}; then\n  ${nearest.reasons.join('\n  ')}`;
  throw new Error(`no serial order explains\n${described(round)}\n${near}`);
}

function described(round: readonly Answered[]): string {
  return round
    .map(
      ({ operation: { verb, given }, result }, index) =>
        `${index}: ${verb}(${shown(given)})\n   answered ${shown(result)}`,
    )
    .join('\n');
}

/** Leaves out the numbers of lines and the scenarios, because they prove nothing about an order. */
export function rememberedBy({ tables }: Model): State {
  return withoutNumbers(modelState(tables, []));
}

export function withoutNumbers(state: State): State {
  const lines = (state.quarantine as readonly { readonly id: string }[]).map(({ id: _id, ...line }) =>
    shown(line),
  );
  return { ...state, quarantine: lines.sort(), plays: [] };
}

function differences(model: State, real: State): string[] {
  return Object.keys(real)
    .filter((table) => !isDeepStrictEqual(model[table], real[table]))
    .map((table) => {
      const [ours, theirs] = [model[table]!.map(shown), real[table]!.map(shown)];
      const only = (some: readonly string[], others: readonly string[]) =>
        some.filter((row) => !others.includes(row)).join('\n      ');
      return `${table} differ\n    the model alone has\n      ${only(ours, theirs)}\n    PostgreSQL alone has\n      ${only(theirs, ours)}`;
    });
}
