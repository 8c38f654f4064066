// The faults of this family's provider by name, each with the public behaviour it imitates.

// Documented shapes: https://solana.com/docs/rpc/http
export const FAULTS = [
  // The genesis hash of another cluster (`value`). https://solana.com/docs/rpc/http/getgenesishash
  'another_chain',
  // A landed signature has no status, wherever it is looked for.
  // https://github.com/solana-labs/solana/issues/9305
  'status_missing',
  // A landed signature has no status unless searchTransactionHistory is asked for: the recent cache has lost
  // it.
  // https://github.com/chainstacklabs/compare-dashboard-functions/pull/87
  'status_missing_recent',
  // A landed transaction is null. https://solana.com/docs/rpc/http/gettransaction
  'transaction_missing',
  // The status of a successful transaction has an err. https://solana.com/docs/rpc/http/getsignaturestatuses
  'says_failed',
  // The transaction, and its entry in the history of an address, has an err although it succeeded.
  'history_says_failed',
  // A confirmationStatus of finalized for a transaction that is only processed or confirmed.
  'finalized_early',
  // One entry of getSignaturesForAddress is missing. https://github.com/solana-labs/solana/issues/21843
  'signatures_hole',
  // getSignaturesForAddress stands `by` slots behind, or at `at`.
  // https://github.com/solana-labs/solana/issues/24620
  'signatures_lag',
  // One entry of getSignaturesForAddress comes twice, as when two pages overlap.
  // https://github.com/solana-labs/solana/issues/22456
  'signatures_twice',
  // getSignaturesForAddress in another order. https://github.com/anza-xyz/agave/issues/907
  'signatures_unordered',
  // Accounts and balances are those before the fault, or with `empty` not there when never asked before.
  // https://github.com/chainstacklabs/pumpfun-bonkfun-bot/issues/130
  'account_lag',
  // Slot and block height are lower by `by`. https://github.com/anza-xyz/agave/issues/3787
  'slot_goes_back',
  // Slot and block height are higher by `by`: a node on a fork, or one that counts slots it has not replayed.
  'slot_ahead',
  // An older blockhash that passed before. https://github.com/solana-labs/solana/issues/16873
  'blockhash_old',
  // A blockhash that this chain never had (`value`): a pool that mixes clusters.
  'blockhash_of_another_chain',
  // isBlockhashValid is false while it is valid. https://github.com/solana-labs/solana/issues/27189
  'blockhash_said_invalid',
  // Submitted, and answered with -32002 as if the simulation had failed.
  // https://github.com/solana-mobile/dapp-publishing/issues/179
  'accepted_but_preflight_error',
  // Submitted, and answered with -32005. https://github.com/solana-labs/solana/issues/21046
  'accepted_but_node_behind',
  // Answered with its signature, and not submitted. https://solana.com/developers/cookbook/transactions/retry
  'dropped',
  // context.slot is not the slot of the value: higher by `by`. https://github.com/anza-xyz/agave/issues/9028
  'context_slot_differs',
  // -32016 for calls with minContextSlot. https://github.com/jet-lab/jet-v2/pull/814
  'min_context_slot',
  // A balance after a transaction (postTokenBalances) is larger than what moved makes it (`by` base units).
  // https://solana.com/docs/rpc/json-structures
  'token_balance_differs',
  // The answer is sent after `ms` milliseconds.
  'slow',
  // The connection closes before the answer, after the call was forwarded.
  'cut',
  // 429 with retry-after (`by` seconds). https://solana.com/docs/references/clusters
  'too_many',
  // 200 with an HTML page of the gateway instead of data.
  'html',
  // The body ends in the middle.
  'half_json',
  // A key comes twice, its true value first; which one counts is left open by
  // https://www.rfc-editor.org/rfc/rfc8259
  'doubled_keys',
  // A submitted transaction reaches the node twice, and the second answer is returned: a gateway that retries.
  'doubled',
  // Arrays are refused with -32600. https://www.jsonrpc.org/specification#batch
  'batch_refused',
  // The answers of a batch are in another order. https://www.jsonrpc.org/specification#batch
  'batch_shuffled',
  // Two answers of a batch have swapped their ids.
  'wrong_id',
] as const;

export type SolanaFault = (typeof FAULTS)[number];
