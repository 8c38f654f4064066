// Which payment made a transaction fail: the chain names the instruction, and every instruction that opens an account or moves
// tokens belongs to one payment.
import { type ExpectedChange, isLook, type Payload } from './envelope.ts';
import { FIRST_MOVE } from './instructions.ts';

/** Undefined where the failure belongs to no single payment. Only the first is known: the chain stops there. */
export function culpritsOf({ payments }: Payload, failure: string): readonly number[] | undefined {
  const at = /"InstructionError":\["?(\d+)/.exec(failure)?.[1];
  const opened = payments.flatMap(({ opens }, index) => (opens ? [index] : []));
  const moved = payments.flatMap((each, index) => new Array<number>(movesOf(each)).fill(index));
  const culprit = at === undefined ? undefined : [...opened, ...moved][Number(at) - FIRST_MOVE];
  return culprit === undefined ? undefined : [culprit];
}

/** A payment takes one instruction, and so does an empty sweep; a sweep moves tokens and closes the account. */
function movesOf(payment: ExpectedChange): number {
  if (isLook(payment)) return 1;
  const moved = BigInt(payment.change);
  return moved > 0n ? 1 : moved < 0n ? 2 : 0;
}
