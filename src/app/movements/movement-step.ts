// Contains the types for following a movement: the step that the service decides, and the networks that it queries. This file
// contains only types.
import type { LiveAttempt } from '../../domain/movements/steps.ts';
import type { Change } from '../../domain/records/change.ts';
import type { Attempt } from '../../domain/records/movement.ts';
import type { SendStatus } from '../../ports/networks/network-payer.ts';
import type { OfferAttempt } from './sends/broadcast.ts';
import type { MovementDraft } from './sends/movement-drafts.ts';

export interface BankStep {
  readonly change: Change;
  readonly order?: LiveAttempt;
}

export type NetworkStep =
  | { readonly change: Change; readonly draft?: undefined }
  | { readonly draft: MovementDraft; readonly change?: undefined };

/**
 * The connection of a process to a network, for all attempts that the process follows at the same time. It queries each signed
 * transaction only once.
 */
export interface NetworkContact {
  readonly offer: OfferAttempt;
  ask(attempt: Attempt): Promise<SendStatus>;
  /** Signs a stuck transaction again, and then stores and offers the new bytes. */
  replace(attempt: Attempt): Promise<void>;
}
