// Sends one webhook attempt to an endpoint. It never throws, never follows a redirect and never contacts an address that
// the address rules refuse; what happened is the outcome.
import type { Mode } from '../../domain/values/mode.ts';

export interface WebhookRequest {
  readonly endpointId: string;
  readonly url: string;
  readonly mode: Mode;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookProblem = 'timeout' | 'connection' | 'tls' | 'dns' | 'answer_too_large' | 'protocol';

export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterMs: number | null;
      /** The first 4 kB as text: secrets redacted, control characters escaped. */
      readonly answer: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly problem: WebhookProblem;
      readonly detail: string;
      readonly durationMs: number;
    }
  /** The address must not be contacted: trying again cannot help. */
  | { readonly kind: 'refused'; readonly detail: string; readonly durationMs: number };

export interface WebhookSender {
  /** The time limit counts from this call on. Send no more at once to one endpoint than it has connections: the rest waits. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
  /** The endpoint was deleted or disabled: its connections are closed when what they carry is answered. */
  forget(endpointId: string): void;
  /** Ends what is still being sent; those attempts fail. */
  close(): Promise<void>;
}
