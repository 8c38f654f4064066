// Makes the signed-in member the actor of use-cases, in the mode of the path. This file also gives refusals a text for pages,
// because the text of the API names keys and paths.
import type { BusinessActor, BusinessReader } from '../../../../app/input/caller.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import type { Refusal } from '../../../../domain/values/refusals.ts';
import { fail, type Result } from '../../../../domain/values/result.ts';
import { type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import type { BusinessCall } from '../../route.ts';

const NOT_FOUND = new Set<string>(['endpoint_not_found', 'delivery_not_found', 'request_not_found']);
const DISABLED: ConsoleRefusal = {
  code: 'endpoint_disabled',
  message: 'This endpoint is disabled and receives nothing. Enable it first.',
};

/** Returns 404 if the mode in the path is neither live nor test. */
export async function runAsAgent<T, Answer>(
  { businessId, actor, params }: BusinessCall,
  work: (agent: BusinessActor) => Promise<Result<T, Refusal>>,
  show: (value: T) => Answer,
): Promise<Result<Answer, ConsoleRefusal>> {
  const { mode = '' } = params;
  if (!isMode(mode)) return fail(NO_SUCH_RECORD);
  const result = await work({ key: { id: actor, business: { id: businessId }, mode } });
  if (result.ok) return { ok: true, value: show(result.value) };
  const { code } = result.error;
  if (NOT_FOUND.has(code)) return fail(NO_SUCH_RECORD);
  return code === 'endpoint_disabled' ? fail(DISABLED) : result;
}

/** Undefined if the mode in the path is neither live nor test. */
export function readReader({ businessId, params }: BusinessCall): BusinessReader | undefined {
  const { mode = '' } = params;
  return isMode(mode) ? { key: { business: { id: businessId }, mode } } : undefined;
}
