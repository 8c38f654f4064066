// A recorded body of a webhook, and what it is about: `credit ABOUT`, `payout REFERENCE paid`, `payout REFERENCE not paid` or `other`.

export type Recorded = readonly [body: unknown, about: string];
