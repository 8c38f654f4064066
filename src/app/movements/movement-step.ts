// The types for following a movement: the step that is decided for it, and the networks it queries. This file contains only
// types.
import type { LiveAttempt } from '../../domain/movements/steps.ts';
import type { Change } from '../../domain/records/change.ts';
import type { Attempt } from '../../domain/records/movement.ts';
import type { SendStatus } from '../../ports/networks/network-payer.ts';
import type { OfferAttempt } from './sends/broadcast.ts';
import type { MovementDraft } from './sends/movement-drafts.ts';

/** A bank step: a change, and the attempt that its rail gets once the change is stored. */
export interface BankStep {
  readonly change: Change;
  readonly order?: LiveAttempt;
}

/** A network step: a change, or a payment to be signed first. */
export type NetworkStep =
  | { readonly change: Change; readonly draft?: undefined }
  | { readonly draft: MovementDraft; readonly change?: undefined };

/**
 * The connection of a process to a network, for all attempts that it follows at the same time; each signed transaction is queried
 * once.
 */
export interface NetworkContact {
  readonly offer: OfferAttempt;
  ask(attempt: Attempt): Promise<SendStatus>;
  /** Signs a stuck transaction again, then stores and offers the new bytes. */
  replace(attempt: Attempt): Promise<void>;
}
