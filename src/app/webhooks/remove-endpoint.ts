// Removes a webhook endpoint: its keys are deleted, and what was still to be delivered to it ends.
import { isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { type Agent, scopeOf } from '../input/caller.ts';
import { endpointNotFound, type WebhookDeps } from './webhook-deps.ts';

export async function removeEndpoint(
  { endpoints, clock }: Pick<WebhookDeps, 'endpoints' | 'clock'>,
  caller: Agent,
  id: string,
): Promise<Result<undefined, Refusal>> {
  const doing = { actor: caller.key.id, atMs: clock.now() };
  const removed = isId('whe', id) && (await endpoints.remove(scopeOf(caller), id, doing));
  return removed ? ok(undefined) : fail(endpointNotFound());
}
