// Whose fault it was that a transaction failed: the chain names the instruction, and every instruction that opens an
// account or moves tokens is there for one payment.
import { isLook, type Payload, type Place } from './envelope.ts';
import { FIRST_MOVE } from './instructions.ts';

/** Undefined where it was nobody's in particular. Only the first is known: the chain stops there. */
export function culpritsOf({ places }: Payload, failure: string): readonly number[] | undefined {
  const at = /"InstructionError":\["?(\d+)/.exec(failure)?.[1];
  const opened = places.flatMap(({ opens }, place) => (opens ? [place] : []));
  const moved = places.flatMap((each, place) => new Array<number>(movesOf(each)).fill(place));
  const place = at === undefined ? undefined : [...opened, ...moved][Number(at) - FIRST_MOVE];
  return place === undefined ? undefined : [place];
}

/** A payment takes one instruction, and so does a look; what is brought in is moved, and its account closed. */
function movesOf(place: Place): number {
  if (isLook(place)) return 1;
  const moved = BigInt(place.change);
  return moved > 0n ? 1 : moved < 0n ? 2 : 0;
}
