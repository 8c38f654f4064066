// A recorded webhook body, and its subject: `credit ABOUT`, `payout REFERENCE paid`, `payout REFERENCE not paid` or `other`.

export type Recorded = readonly [body: unknown, about: string];
