// Remembers what a provider has seen of its node: the head, blocks by number, and earlier responses to the same call.
import { Earlier, type Use } from '../faults.ts';
import { isList, isObject, type Json, type JsonObject, textOf } from '../json.ts';
import type { RpcCall } from '../rpc.ts';

const MOST_BLOCKS = 2_000;

export class EvmMemory {
  readonly #earlier = new Earlier();
  readonly #blocks = new Map<string, JsonObject>();
  #head: number | undefined;

  learn(call: RpcCall, result: Json): void {
    if (call.method === 'eth_blockNumber') this.#head = quantityOf(result);
    if (call.method === 'eth_getBalance' || call.method === 'eth_call') {
      this.#earlier.learn(questionOf(call), result);
    }
    if (isObject(result) && call.method.startsWith('eth_getBlockBy')) this.#learnBlock(call, result);
    for (const entry of isList(result) ? result : [result]) {
      const number = isObject(entry) ? quantityOf(entry.blockNumber) : undefined;
      if (number !== undefined) this.#head = Math.max(number, this.#head ?? 0);
    }
  }

  head(): number | undefined {
    return this.#head;
  }

  frozen(call: RpcCall, use: Use, unseen?: Json): Json | undefined {
    return this.#earlier.frozen(questionOf(call), use, unseen);
  }

  newestBlock(upTo: number, call: RpcCall): JsonObject | undefined {
    const numbers = [...this.#blocks.keys()]
      .filter((key) => key.endsWith(fullnessOf(call)))
      .map((key) => Number.parseInt(key, 10));
    const newest = Math.max(...numbers.filter((number) => number <= upTo));
    return this.#blocks.get(`${newest}${fullnessOf(call)}`);
  }

  #learnBlock(call: RpcCall, block: JsonObject): void {
    const number = quantityOf(block.number);
    if (number === undefined || call.params[0] === 'pending') return;
    if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear();
    this.#blocks.set(`${number}${fullnessOf(call)}`, block);
    // A head that was requested as `latest` may be lower than an earlier head, because a chain can be reorganised.
    this.#head = call.params[0] === 'latest' ? number : Math.max(number, this.#head ?? 0);
  }
}

export function quantityOf(value: Json | undefined): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^0x[0-9a-f]+$/i.test(text) ? Number(BigInt(text)) : undefined;
}

export function quantity(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

// The block parameter is left out of the comparison, because a lagging node responds with the data at its own head.
function questionOf(call: RpcCall): string {
  return JSON.stringify([call.method, call.params[0] ?? null]).toLowerCase();
}

function fullnessOf(call: RpcCall): string {
  return call.params[1] === true ? ' whole' : ' hashes';
}
