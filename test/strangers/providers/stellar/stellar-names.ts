// The faults of this family's provider by name, each with the public behaviour it imitates.

// Documented shapes: https://developers.stellar.org/docs/data/apis/horizon/api-reference
export const FAULTS = [
  // The root names another network_passphrase (`value`). https://developers.stellar.org/docs/networks
  'another_network',
  // 404 for an applied transaction: not ingested yet. https://github.com/stellar/go-stellar-sdk/issues/2272
  'transaction_missing',
  // successful: false for a transaction that succeeded.
  // https://developers.stellar.org/docs/data/apis/horizon/api-reference/resources/transactions/object
  'says_failed',
  // transaction_successful: false in the records of payments and operations.
  'records_say_failed',
  // 504, although the transaction is applied. https://github.com/stellar/go-stellar-sdk/issues/305
  'timeout_though_applied',
  // 504, and the transaction is not forwarded. https://github.com/stellar/stellar-core/issues/2338
  'timeout_not_applied',
  // 400 tx_bad_seq for a transaction that an earlier call submitted (`first`: already for the first call).
  // https://github.com/stellar/go-stellar-sdk/issues/2628
  'bad_seq_though_applied',
  // 200 with the hash, and not forwarded.
  'dropped',
  // One record of payments, operations, transactions or effects is missing.
  // https://github.com/stellar/stellar-protocol/issues/672
  'records_hole',
  // Records stand `by` ledgers behind, or at `at`. https://github.com/stellar-deprecated/horizon/issues/293
  'records_lag',
  // One record is repeated, as when a page is built while a ledger is ingested.
  'record_twice',
  // Records in another order than asked for. https://github.com/stellar/go-stellar-sdk/issues/3637
  'records_unordered',
  // The page does not depend on the cursor: an earlier page of the same list comes again.
  // https://github.com/stellar/go-stellar-sdk/issues/1103
  'cursor_ignored',
  // The sequence of an account is lower by `by`. https://github.com/stellar/quickstart/issues/667
  'sequence_behind',
  // The sequence of an account is higher by `by`: it includes transactions that never landed.
  'sequence_ahead',
  // Balances of an account are those before the fault, or with `empty` nothing when never asked before.
  // https://github.com/stellar/go-stellar-sdk/issues/2272
  'balances_lag',
  // No Latest-Ledger header: a gateway that keeps only headers it knows.
  // https://developers.stellar.org/docs/data/apis/horizon/api-reference/structure/consistency
  'header_missing',
  // Latest-Ledger is lower by `by`.
  'header_behind',
  // Latest-Ledger is higher by `by`.
  'header_ahead',
  // Ledgers, fee_stats and the root stand `by` ledgers behind.
  // https://github.com/stellar/go-stellar-sdk/issues/3252
  'ledgers_lag',
  // closed_at of ledgers is wrong by `by` hours (less than 0: earlier).
  'closed_at_wrong',
  // created_at of transactions, payments and operations is wrong by `by` hours (less than 0: earlier).
  'created_at_wrong',
  // 503 stale_history. https://github.com/stellar/go-stellar-sdk/issues/4550
  'stale_history',
  // The asset of a payment has another issuer (`value`) with the same code (`extra`: a second record has it).
  // https://developers.stellar.org/docs/tokens/anatomy-of-an-asset
  'other_issuer',
  // Amounts without trailing zeros, "1" for "1.0000000": harmless, the same amount.
  'plain_amounts',
  // Links to further pages lead to another host (`value`).
  // https://github.com/stellar-deprecated/horizon/issues/55
  'next_elsewhere',
  // The answer is sent after `ms` milliseconds.
  'slow',
  // The connection closes before the answer, after the call was forwarded.
  'cut',
  // 429. https://developers.stellar.org/docs/data/apis/horizon/api-reference/structure/rate-limiting
  'too_many',
  // 200 with an HTML page of the gateway instead of data.
  'html',
  // The body ends in the middle.
  'half_json',
  // A key comes twice, its true value first; which one counts is left open by
  // https://www.rfc-editor.org/rfc/rfc8259
  'doubled_keys',
  // A submitted transaction reaches Horizon twice, and the second answer is returned: a gateway that retries.
  'doubled',
] as const;

export type StellarFault = (typeof FAULTS)[number];
