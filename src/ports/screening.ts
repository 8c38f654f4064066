// Checks whether people, accounts or wallets are on a list. What is on the list must not be paid without a person's decision. A
// hit is a reason to hold a payment, never a final decision.

export const SCREENED_KINDS = ['name', 'account', 'wallet'] as const;
export type ScreenedKind = (typeof SCREENED_KINDS)[number];

export interface ScreeningSubject {
  readonly kind: ScreenedKind;
  readonly value: string;
}

/** The checked subject, and the list entry that it matched. */
export interface ScreeningHit extends ScreeningSubject {
  /** The entry as written in the list. */
  readonly entry: string;
  readonly reason: string;
}

export interface Screening {
  /** Whether the list is empty. */
  isEmpty?(): boolean;
  screen(subjects: readonly ScreeningSubject[]): Promise<readonly ScreeningHit[]>;
}
