// What a failed trial run means for a payment: the treasury is short of tokens or SOL, or the chain has a problem that may
// pass.
import type { Obstacle } from '../../../../ports/network/pays.ts';
import { textOf } from '../rpc/json-text.ts';
import { FIRST_MOVE, openings, type Part } from './instructions.ts';

/** Both the system program and the token programs say "not enough" with it. */
const NOT_ENOUGH = '"Custom":"1"';

export function obstacleOf(failure: unknown, parts: readonly Part[]): { obstacle: Obstacle; detail: string } {
  const text = textOf(failure);
  const detail = `a trial run failed: ${text}`;
  if (/InsufficientFundsForFee|InsufficientFundsForRent|AccountNotFound/.test(text))
    return { obstacle: 'native_low', detail };
  if (!text.replaceAll(/:(\d+)/g, ':"$1"').includes(NOT_ENOUGH))
    return { obstacle: 'network_unreachable', detail };
  const at = Number(/"InstructionError":\["?(\d+)/.exec(text)?.[1] ?? FIRST_MOVE);
  if (at >= FIRST_MOVE && at < FIRST_MOVE + openings(parts).length) return { obstacle: 'native_low', detail };
  return { obstacle: parts[0]?.kind === 'pay' ? 'treasury_low' : 'network_unreachable', detail };
}
