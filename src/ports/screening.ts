// Checks whether people, accounts or wallets are on a list. The service must not pay them without a person's decision. A hit
// only holds a payment; it never decides about the payment.

export const SCREENED_KINDS = ['name', 'account', 'wallet'] as const;
export type ScreenedKind = (typeof SCREENED_KINDS)[number];

export interface ScreeningSubject {
  readonly kind: ScreenedKind;
  readonly value: string;
}

export interface ScreeningHit extends ScreeningSubject {
  readonly entry: string;
  readonly reason: string;
}

export interface Screening {
  isEmpty?(): boolean;
  screen(subjects: readonly ScreeningSubject[]): Promise<readonly ScreeningHit[]>;
}
