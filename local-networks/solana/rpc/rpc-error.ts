// The error codes of Solana's JSON-RPC interface.
import { RpcError } from '../../rpc-error.ts';

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const PARSE_ERROR = -32700;
export const PREFLIGHT_FAILED = -32002;
export const SIGNATURE_INVALID = -32003;
export const SLOT_SKIPPED = -32007;
export const BLOCK_NOT_AVAILABLE = -32004;
export const VERSION_UNSUPPORTED = -32015;
export const CONTEXT_SLOT_NOT_REACHED = -32016;

export function invalidParams(message: string): RpcError {
  return new RpcError(INVALID_PARAMS, message);
}
