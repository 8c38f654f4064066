// The names of this family's provider faults, each with the public behaviour that it imitates.

// Documented shapes: https://solana.com/docs/rpc/http
export const FAULTS = [
  // The genesis hash of another cluster (`value`). https://solana.com/docs/rpc/http/getgenesishash
  'another_chain',
  // A landed signature has no status in any query. https://github.com/solana-labs/solana/issues/9305
  'status_missing',
  // A landed signature has no status unless the request sets searchTransactionHistory: the recent cache has lost it.
  // https://github.com/chainstacklabs/compare-dashboard-functions/pull/87
  'status_missing_recent',
  // The response for a landed transaction is null. https://solana.com/docs/rpc/http/gettransaction
  'transaction_missing',
  // The status of a successful transaction has an err. https://solana.com/docs/rpc/http/getsignaturestatuses
  'says_failed',
  // A successful transaction, and its entry in the history of an address, has an err.
  'history_says_failed',
  // The confirmationStatus is finalized for a transaction that is only processed or confirmed.
  'finalized_early',
  // One entry of getSignaturesForAddress is missing. https://github.com/solana-labs/solana/issues/21843
  'signatures_hole',
  // getSignaturesForAddress lags by the slots in `by`, or stays at the slot `at`. https://github.com/solana-labs/solana/issues/24620
  'signatures_lag',
  // One entry of getSignaturesForAddress occurs twice, as when two pages overlap.
  // https://github.com/solana-labs/solana/issues/22456
  'signatures_twice',
  // The entries of getSignaturesForAddress are in another order. https://github.com/anza-xyz/agave/issues/907
  'signatures_unordered',
  // Accounts and balances are those before the fault; with `empty`, an account that was never requested before is missing.
  // https://github.com/chainstacklabs/pumpfun-bonkfun-bot/issues/130
  'account_lag',
  // Slot and block height are lower by `by`. https://github.com/anza-xyz/agave/issues/3787
  'slot_goes_back',
  // Slot and block height are higher by `by`: a node on a fork, or a node that counts slots that it has not replayed.
  'slot_ahead',
  // An older blockhash that the provider has seen before. https://github.com/solana-labs/solana/issues/16873
  'blockhash_old',
  // A blockhash that this chain never had (`value`), as from a pool that mixes clusters.
  'blockhash_of_another_chain',
  // isBlockhashValid returns false while the blockhash is valid. https://github.com/solana-labs/solana/issues/27189
  'blockhash_said_invalid',
  // The transaction is submitted, but the response is error -32002, as if the simulation had failed.
  // https://github.com/solana-mobile/dapp-publishing/issues/179
  'accepted_but_preflight_error',
  // The transaction is submitted, but the response is error -32005. https://github.com/solana-labs/solana/issues/21046
  'accepted_but_node_behind',
  // The response is the signature, but the transaction is not submitted.
  // https://solana.com/developers/cookbook/transactions/retry
  'dropped',
  // context.slot is higher by `by` than the slot of the value. https://github.com/anza-xyz/agave/issues/9028
  'context_slot_differs',
  // Calls with minContextSlot get error -32016. https://github.com/jet-lab/jet-v2/pull/814
  'min_context_slot',
  // A balance after a transaction (postTokenBalances) is too high (`by` base units). https://solana.com/docs/rpc/json-structures
  'token_balance_differs',
  // The response is sent after `ms` milliseconds.
  'slow',
  // The connection closes before the response, after the call was forwarded.
  'cut',
  // Status 429 with retry-after (`by` seconds). https://solana.com/docs/references/clusters
  'too_many',
  // Status 200 with an HTML page of the gateway instead of data.
  'html',
  // The body ends in the middle of the JSON.
  'half_json',
  // A key occurs twice, with its true value first; https://www.rfc-editor.org/rfc/rfc8259 does not define which one counts.
  'doubled_keys',
  // A submitted transaction reaches the node twice, and the second response is returned, as from a gateway that retries.
  'doubled',
  // Arrays are refused with error -32600. https://www.jsonrpc.org/specification#batch
  'batch_refused',
  // The responses of a batch are in another order. https://www.jsonrpc.org/specification#batch
  'batch_shuffled',
  // Two responses of a batch have each other's id.
  'wrong_id',
] as const;

export type SolanaFault = (typeof FAULTS)[number];
