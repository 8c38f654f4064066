// The faults of this family's provider by name, each with the public behaviour it imitates.

// Documented shapes: https://ethereum.github.io/execution-apis/ and https://eips.ethereum.org/EIPS/eip-1474
export const FAULTS = [
  // An endpoint of another network: chain id (`value`), network id and genesis hash differ.
  // https://eips.ethereum.org/EIPS/eip-695
  'another_chain',
  // The receipt of a successful transaction has status 0x0 and no logs.
  // https://eips.ethereum.org/EIPS/eip-658
  'says_reverted',
  // The receipt of a mined transaction is null. https://github.com/NethermindEth/nethermind/issues/2424
  'receipt_missing',
  // Neither the transaction nor its receipt is known. https://github.com/web3/web3.js/issues/1679
  'transaction_unknown',
  // Logs of one block (`at`) or of what `about` names are missing.
  // https://github.com/INFURA/infura/issues/50
  'logs_hole',
  // Logs are answered by a node `by` blocks behind, or at `at`.
  // https://github.com/ethereum/go-ethereum/issues/24078
  'logs_lag',
  // Balances and eth_call come from an older block: the answer to the same call before the fault, or with
  // `empty` nothing for what was never asked before. https://github.com/INFURA/infura/issues/31
  'balances_lag',
  // The nonce is lower by `by`. https://github.com/cowprotocol/services/issues/64
  'nonce_lag',
  // The head stands `by` blocks lower, or at `at`; a block for it must have passed before.
  // https://github.com/ethereum/go-ethereum/issues/27353
  'head_goes_back',
  // Safe and finalized are answered with the newest block that passed: some chains and gateways do not tell
  // them apart.
  // https://github.com/ethereum/execution-apis/blob/main/src/schemas/block.yaml
  'finalized_ahead',
  // Submitted, and answered with error -32000 (`message`).
  // https://github.com/NethermindEth/nethermind/issues/4148
  'accepted_but_error',
  // "already known", and not submitted. https://github.com/ApeWorX/web3.py/issues/2364
  'error_but_not_sent',
  // Answered with its hash, and not submitted. https://github.com/gnosis/gp-v2-services/issues/896
  'dropped',
  // A log is repeated. https://github.com/darwinia-network/darwinia/issues/1649
  'extra_transfer',
  // A log of a block that is no longer in the chain (`extra: false`: the real log is marked).
  // https://github.com/subvisual/dora-the-tipset-explorer/pull/4
  'removed_log',
  // A log of another contract (`value`) than the requested one: a filter that a gateway has not applied.
  'other_address_log',
  // The log says that more moved than did (`by`): a token whose log hides its fee.
  // https://github.com/d-xo/weird-erc20#fee-on-transfer
  'value_differs',
  // More than `by` blocks in one eth_getLogs: error -32005. https://github.com/AugurProject/augur/issues/4923
  'too_large_range',
  // The answer is sent after `ms` milliseconds.
  'slow',
  // The connection closes before the answer, after the call was forwarded.
  'cut',
  // 429 with retry-after (`by` seconds). https://docs.metamask.io/services/how-to/avoid-rate-limiting/
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
  // The answers of a batch are in another order. https://github.com/emeraldpay/dshackle/issues/148
  'batch_shuffled',
  // Two answers of a batch have swapped their ids. https://github.com/ethers-io/ethers.js/issues/3431
  'wrong_id',
] as const;

export type EvmFault = (typeof FAULTS)[number];
