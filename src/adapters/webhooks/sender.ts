// The sender of webhooks. The HTTP client is loaded with the first webhook, because it is a large library that a service without
// endpoints does not need.
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
