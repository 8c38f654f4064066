// Changes a webhook endpoint: its URL, its subscriptions, its description, or whether it is enabled.
import { isId } from '../../domain/values/ids.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import type { EndpointChange } from '../../ports/webhooks.ts';
import { type BusinessActor, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import { checkDescription, checkSubscriptions, checkUrl } from './endpoint-fields.ts';
import { endpointNotFound, findEndpoint, type WebhookDeps } from './webhook-deps.ts';

/**
 * The requested changes. Absent fields stay unchanged. In `events`, null means every event; in `description`, null means no
 * description.
 */
export interface EndpointChangeRequest {
  readonly url?: string;
  readonly events?: readonly unknown[] | null;
  readonly description?: string | null;
  readonly state?: string;
}

export async function changeEndpoint(
  deps: WebhookDeps,
  request: {
    readonly caller: BusinessActor;
    readonly id: string;
    readonly body: EndpointChangeRequest;
  },
): Promise<Result<Endpoint, Refusal>> {
  const { caller, id, body } = request;
  const found = await findEndpoint(deps, caller, id);
  if (!found.ok) return found;
  const errors = new FieldErrors();
  const change: EndpointChange = {
    ...(body.url !== undefined && { url: checkUrl(errors, body.url, deps.urlRules(caller.key.mode)) ?? '' }),
    ...(body.events !== undefined && { events: checkSubscriptions(errors, body.events ?? []) ?? null }),
    ...(body.description !== undefined && {
      description: checkDescription(errors, body.description ?? '') ?? null,
    }),
    ...(body.state !== undefined && { state: checkState(errors, body.state) ?? 'enabled' }),
  };
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  if (Object.keys(change).length === 0) return found;
  const doing = { actor: caller.key.id, atMs: deps.clock.now() };
  const changed = await deps.endpoints.change(scopeOf(caller), id, change, doing);
  return changed === undefined ? fail(endpointNotFound()) : ok(changed);
}

function checkState(errors: FieldErrors, text: string): Endpoint['state'] | undefined {
  if (text === 'enabled' || text === 'disabled') return text;
  return errors.add('state', 'state_invalid', 'state must be enabled or disabled.');
}

/** Removes a webhook endpoint. The service deletes its keys and ends its pending deliveries. */
export async function removeEndpoint(
  { endpoints, clock }: Pick<WebhookDeps, 'endpoints' | 'clock'>,
  caller: BusinessActor,
  id: string,
): Promise<Result<undefined, Refusal>> {
  const doing = { actor: caller.key.id, atMs: clock.now() };
  const removed = isId('whe', id) && (await endpoints.remove(scopeOf(caller), id, doing));
  return removed ? ok(undefined) : fail(endpointNotFound());
}
