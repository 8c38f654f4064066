// One try at a payout or a refund by bank, as it is stored before its rail hears of it: on which rail, under which reference, and which
// rails were tried before.
import { type Attempt, bankReference, type Movement, repeatedReference } from '../records/movement.ts';

/** `tried`: a rail that refused it once never pays that reference, so a second attempt there has another one. */
export function bankAttempt(
  { id, mode, attempts: no }: Movement,
  rail: string,
  tried: readonly string[],
  atMs: number,
): Attempt {
  return {
    movementId: id,
    no,
    mode,
    network: null,
    rail,
    reference: tried.includes(rail) ? repeatedReference(id, no) : bankReference(id),
    source: null,
    sequence: null,
    payload: null,
    bound: null,
    index: 0,
    orders: [id],
    replacements: [],
    state: 'prepared',
    evidence: tried.length === 0 ? null : { tried },
    atMs,
    updatedAtMs: atMs,
  };
}

/** Rails its movement was refused on or not taken by, the last one last. The attempt itself counts. */
export function triedRails({ rail, evidence }: Attempt): readonly string[] {
  const before = (evidence?.tried ?? []) as readonly string[];
  return [...before.filter((each) => each !== rail), rail!];
}
