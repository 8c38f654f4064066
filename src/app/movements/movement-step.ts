// What following a movement works with: the step that is decided for it, and the networks it asks. Nothing is done here.
import type { LiveAttempt } from '../../domain/movements/steps.ts';
import type { Change } from '../../domain/records/change.ts';
import type { Attempt } from '../../domain/records/movement.ts';
import type { SendStatus } from '../../ports/networks/network-payer.ts';
import type { OfferAttempt } from './sends/broadcast.ts';
import type { MovementDraft } from './sends/movement-drafts.ts';

/** A step by bank: a change, and the attempt that its rail gets once the change is stored. */
export interface BankStep {
  readonly change: Change;
  readonly order?: LiveAttempt;
}

/** A step by network: a change, or a payment to be signed first. */
export type NetworkStep =
  | { readonly change: Change; readonly draft?: undefined }
  | { readonly draft: MovementDraft; readonly change?: undefined };

/** The contact of a process with a network, for all attempts it follows at once; each set of bytes is asked about once. */
export interface NetworkContact {
  readonly offer: OfferAttempt;
  ask(attempt: Attempt): Promise<SendStatus>;
  /** Signs stuck bytes again, stores and offers them. */
  replace(attempt: Attempt): Promise<void>;
}
