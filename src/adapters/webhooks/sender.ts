// The sender of webhooks. Its HTTP client is loaded with the first webhook: it is a large library, and a service without
// endpoints, like one that is only started and stopped, has no use for it.
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
