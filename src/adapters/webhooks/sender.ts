// Sends webhooks. The service loads the HTTP client with the first webhook, because this library is large and a service without
// endpoints does not need it.
import type { WebhookSender } from '../../ports/webhooks.ts';
import { type SenderSettings, STOPPING_OUTCOME } from './sender-rules.ts';

export function makeWebhookSender(settings: SenderSettings): WebhookSender {
  let opened: Promise<WebhookSender> | undefined;
  let isClosed = false;
  const open = async () => (await import('./undici-sender.ts')).makeUndiciSender(settings);
  return {
    send: async (request, signal) => {
      if (isClosed) return STOPPING_OUTCOME;
      opened ??= open();
      return (await opened).send(request, signal);
    },
    forget: (endpointId) => void opened?.then((sender) => sender.forget(endpointId)),
    close: async () => {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}
