// Sends webhooks with the HTTP client undici. Each call checks the URL, gets a connection to the endpoint and makes one
// attempt. The sender ignores redirects and the proxy of the environment, and does not decompress responses.
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { checkWebhookUrl } from '../../domain/webhooks/url-rules.ts';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../ports/webhooks.ts';
import { makeResolveHost } from './address-rules.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { makeConnector } from './connector.ts';
import { EndpointPools } from './endpoint-pools.ts';
import { judgeWebhookAddress, type SenderSettings, STOPPING_OUTCOME } from './sender-rules.ts';

export const CONNECTIONS_PER_ENDPOINT = 16;
const ENDPOINTS_KEPT = 1_000;

export function makeUndiciSender(settings: SenderSettings): WebhookSender {
  const { timeoutMs, allowsLoopback, ca, resolveHost = makeResolveHost() } = settings;
  const connectorFor = (mode: Mode) =>
    makeConnector({
      judge: (ip) => judgeWebhookAddress(ip, mode, settings),
      resolveHost,
      timeoutMs,
      ...(ca === undefined ? {} : { ca }),
    });
  const [live, test] = MODES.map(connectorFor);
  const pools = new EndpointPools({
    connectors: { live: live!, test: test! },
    connectionsPerEndpoint: settings.connectionsPerEndpoint ?? CONNECTIONS_PER_ENDPOINT,
    endpointsKept: settings.endpointsKept ?? ENDPOINTS_KEPT,
  });
  let isClosed = false;
  const send = async (request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome> => {
    const { endpointId, url, mode, headers, body } = request;
    if (isClosed) return STOPPING_OUTCOME;
    let kept = pools.find(endpointId, url, mode);
    if (kept === undefined) {
      const checked = checkWebhookUrl(url, { mode, allowsLoopback });
      if (!checked.ok) return { kind: 'refused', detail: checked.error.message, durationMs: 0 };
      kept = pools.open(endpointId, url, mode, checked.value);
    }
    return attemptDelivery(kept.pool, { path: kept.path, headers, body }, { timeoutMs, signal });
  };
  const close = (): Promise<void> => {
    isClosed = true;
    return pools.close();
  };
  return { send, forget: (endpointId) => pools.forget(endpointId), close };
}
