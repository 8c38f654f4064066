// The names of this family's provider faults, each with the public behaviour that it imitates.

// Documented shapes: https://developers.stellar.org/docs/data/apis/horizon/api-reference
export const FAULTS = [
  // The root response has another network_passphrase (`value`). https://developers.stellar.org/docs/networks
  'another_network',
  // Status 404 for an applied transaction, as if it were not ingested yet. https://github.com/stellar/go-stellar-sdk/issues/2272
  'transaction_missing',
  // successful: false for a transaction that succeeded.
  // https://developers.stellar.org/docs/data/apis/horizon/api-reference/resources/transactions/object
  'says_failed',
  // transaction_successful: false in the records of payments and operations.
  'records_say_failed',
  // Status 504, although the transaction is applied. https://github.com/stellar/go-stellar-sdk/issues/305
  'timeout_though_applied',
  // Status 504, and the transaction is not forwarded. https://github.com/stellar/stellar-core/issues/2338
  'timeout_not_applied',
  // 400 tx_bad_seq for a transaction that an earlier call submitted (with `first`, the first call gets it too).
  // https://github.com/stellar/go-stellar-sdk/issues/2628
  'bad_seq_though_applied',
  // Status 200 with the hash, but the transaction is not forwarded.
  'dropped',
  // One record of payments, operations, transactions or effects is missing.
  // https://github.com/stellar/stellar-protocol/issues/672
  'records_hole',
  // Records are `by` ledgers behind, or at `at`. https://github.com/stellar-deprecated/horizon/issues/293
  'records_lag',
  // One record is repeated, as when a page is built while a ledger is ingested.
  'record_twice',
  // Records are not in the requested order. https://github.com/stellar/go-stellar-sdk/issues/3637
  'records_unordered',
  // The cursor is ignored: an earlier page of the same list is returned again.
  // https://github.com/stellar/go-stellar-sdk/issues/1103
  'cursor_ignored',
  // The sequence of an account is lower by `by`. https://github.com/stellar/quickstart/issues/667
  'sequence_behind',
  // The sequence of an account is higher by `by`: it includes transactions that never landed.
  'sequence_ahead',
  // The balances of an account are those before the fault; with `empty`, an account that was never requested before has none.
  // https://github.com/stellar/go-stellar-sdk/issues/2272
  'balances_lag',
  // The Latest-Ledger header is missing, as from a gateway that keeps only the headers that it knows.
  // https://developers.stellar.org/docs/data/apis/horizon/api-reference/structure/consistency
  'header_missing',
  // Latest-Ledger is lower by `by`.
  'header_behind',
  // Latest-Ledger is higher by `by`.
  'header_ahead',
  // Ledgers, fee_stats and the root are `by` ledgers behind. https://github.com/stellar/go-stellar-sdk/issues/3252
  'ledgers_lag',
  // closed_at of ledgers is wrong by `by` hours (negative: earlier).
  'closed_at_wrong',
  // created_at of transactions, payments and operations is wrong by `by` hours (negative: earlier).
  'created_at_wrong',
  // 503 stale_history. https://github.com/stellar/go-stellar-sdk/issues/4550
  'stale_history',
  // The asset of a payment has another issuer (`value`) with the same code (`extra`: in an additional record).
  // https://developers.stellar.org/docs/tokens/anatomy-of-an-asset
  'other_issuer',
  // Amounts have no trailing zeros: "1" instead of "1.0000000". This is harmless, because the amount is the same.
  'plain_amounts',
  // Links to further pages point to another host (`value`). https://github.com/stellar-deprecated/horizon/issues/55
  'next_elsewhere',
  // The response is sent after `ms` milliseconds.
  'slow',
  // The connection closes before the response, after the call was forwarded.
  'cut',
  // 429. https://developers.stellar.org/docs/data/apis/horizon/api-reference/structure/rate-limiting
  'too_many',
  // Status 200 with an HTML page of the gateway instead of data.
  'html',
  // The body ends in the middle of the JSON.
  'half_json',
  // A key occurs twice, with its true value first; https://www.rfc-editor.org/rfc/rfc8259 does not define which one counts.
  'doubled_keys',
  // A submitted transaction reaches Horizon twice, and the second response is returned, as from a gateway that retries.
  'doubled',
] as const;

export type StellarFault = (typeof FAULTS)[number];
