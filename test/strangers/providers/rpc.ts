// Handles JSON-RPC over HTTP, one call or a batch. Each call passes the rules of the active faults in their order. Every
// response keeps the id of its call unless a fault swaps the ids.
import { concerns, type Faults, type Random, shuffled, type Use } from './faults.ts';
import { isList, isObject, type Json, type JsonObject, readJson, textOf, writeJson } from './json.ts';
import { overTransport, type Subject, type Transport } from './transport.ts';
import type { Call, Pass, Reply, Rules } from './wire.ts';

export const BATCH_FAULTS = ['batch_refused', 'batch_shuffled', 'wrong_id'] as const;

export type BatchFault = (typeof BATCH_FAULTS)[number];

export interface RpcCall {
  readonly method: string;
  readonly params: readonly Json[];
  /** All names in the call: its parameters, and the hash or signature of the transaction that it submits. */
  readonly text: string;
}

export type Outcome = { readonly result: Json } | { readonly error: JsonObject };

/** The effect of one fault. If a function of the rule returns undefined, nothing changes. */
export interface RpcRule {
  readonly methods: readonly string[];
  /** Whether the rule looks for `about` in the entries of the response. Otherwise the call itself must contain it. */
  readonly amongEntries?: boolean;
  readonly ask?: (call: RpcCall, use: Use) => Outcome | undefined;
  readonly reply?: (result: Json, call: RpcCall, use: Use) => Outcome | undefined;
}

export interface RpcFamily {
  readonly faults: Faults;
  readonly random: Random;
  readonly rules: Readonly<Record<string, RpcRule>>;
  readonly transport: Transport;
  readonly sent: (method: string, params: readonly Json[]) => string | undefined;
  /** Receives every true result before the faults change it. */
  readonly learn: (call: RpcCall, result: Json) => void;
}

interface Part {
  readonly element: Json;
  readonly call: RpcCall | undefined;
  /** The response of a rule that does not forward the call. */
  readonly own: Outcome | undefined;
}

export function rpcRules(family: RpcFamily): Rules {
  return async (call, pass) => {
    const asked = readJson(call.body);
    if (asked === undefined) return pass(call);
    const elements = isList(asked) ? asked : [asked];
    const calls = elements.map((element) => readCall(element, family));
    const subject = subjectOf(calls, family);
    return overTransport(family.transport, { subject, call, pass }, (through) => {
      const refusal = isList(asked) ? refuseBatch(family.faults, subject) : undefined;
      if (refusal !== undefined) return Promise.resolve(refusal);
      const parts = elements.map((element, at) => ask(element, calls[at], family));
      return answerParts(parts, { family, call, pass: through, subject, isBatch: isList(asked) });
    });
  };
}

function readCall(element: Json, { sent }: RpcFamily): RpcCall | undefined {
  const method = isObject(element) ? textOf(element.method) : undefined;
  if (!isObject(element) || method === undefined) return undefined;
  const params = isList(element.params) ? element.params : [];
  return { method, params, text: `${JSON.stringify(params)} ${sent(method, params) ?? ''}` };
}

function subjectOf(calls: readonly (RpcCall | undefined)[], { sent }: RpcFamily): Subject {
  const known = calls.filter((call) => call !== undefined);
  return {
    text: known.map(({ text }) => text).join(' '),
    methods: known.map(({ method }) => method),
    sends: known.some(({ method, params }) => sent(method, params) !== undefined),
  };
}

function refuseBatch(faults: Faults, subject: Subject): Reply | undefined {
  const use = faults.on('batch_refused', subject.methods);
  if (use === undefined || !concerns(use, subject.text)) return undefined;
  faults.count('batch_refused');
  const error = { code: -32600, message: use.options.message ?? 'batch requests are not supported' };
  const body = writeJson({ jsonrpc: '2.0', id: null, error });
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

function ask(element: Json, call: RpcCall | undefined, { faults, rules }: RpcFamily): Part {
  if (call === undefined) return { element, call, own: undefined };
  for (const [name, rule] of Object.entries(rules)) {
    const use = useOf(faults, name, rule, call);
    const own = use === undefined ? undefined : rule.ask?.(call, use);
    if (own === undefined) continue;
    faults.count(name);
    return { element, call, own };
  }
  return { element, call, own: undefined };
}

function useOf(faults: Faults, name: string, rule: RpcRule, call: RpcCall): Use | undefined {
  if (!rule.methods.includes(call.method)) return undefined;
  const use = faults.on(name, [call.method]);
  return use !== undefined && (rule.amongEntries || concerns(use, call.text)) ? use : undefined;
}

async function answerParts(
  parts: readonly Part[],
  way: {
    readonly family: RpcFamily;
    readonly call: Call;
    readonly pass: Pass;
    readonly subject: Subject;
    readonly isBatch: boolean;
  },
): Promise<Reply> {
  const { family, call, isBatch } = way;
  const toPass = parts.filter(({ own }) => own === undefined);
  const body = toPass.length === parts.length ? call.body : writeJson(toPass.map(({ element }) => element));
  const reply =
    toPass.length === 0 ? { status: 200, headers: JSON_TYPE, body: '[]' } : await way.pass({ ...call, body });
  const read = readJson(reply.body);
  // An error for the whole request is returned unchanged, whatever its form.
  if (read === undefined || (isBatch && !isList(read))) return reply;
  const answers = isList(read) ? read : [read];
  const ids = new Set(parts.map(({ element }) => idOf(element)));
  const others = answers.filter((answer) => !ids.has(idOf(answer)));
  const changed = [...parts.flatMap((part) => answerOf(part, answers, family)), ...others];
  const mixed = isBatch ? mixUp(changed, way.subject, family) : changed;
  const isSame = mixed.length === answers.length && mixed.every((answer, at) => answer === answers[at]);
  return isSame ? reply : { ...reply, body: writeJson(isBatch ? mixed : (mixed[0] ?? null)) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

function answerOf(part: Part, answers: readonly Json[], family: RpcFamily): readonly Json[] {
  const id = isObject(part.element) ? part.element.id : undefined;
  if (part.own !== undefined) return id === undefined ? [] : [{ jsonrpc: '2.0', id, ...part.own }];
  const found = answers.find((answer) => id !== undefined && idOf(answer) === idOf(part.element));
  if (found === undefined) return [];
  if (!isObject(found) || found.result === undefined || part.call === undefined) return [found];
  family.learn(part.call, found.result);
  let answer = found;
  for (const [name, rule] of Object.entries(family.rules)) {
    const use = useOf(family.faults, name, rule, part.call);
    const { result } = answer;
    if (use === undefined || result === undefined) continue;
    const outcome = rule.reply?.(result, part.call, use);
    if (outcome === undefined) continue;
    family.faults.count(name);
    const { result: _result, ...rest } = answer;
    answer = { ...rest, ...outcome };
  }
  return [answer];
}

/** The id of a call or a response as text, in which 1 and "1" are different ids. */
function idOf(element: Json): string | undefined {
  return isObject(element) ? JSON.stringify(element.id) : undefined;
}

function mixUp(answers: readonly Json[], subject: Subject, family: RpcFamily): readonly Json[] {
  let mixed = answers;
  if (answers.length > 1 && isOnFor(family.faults, 'wrong_id', subject)) {
    const [one, other] = shuffled(family.random, [...answers.keys()]);
    mixed = exchangeIds(answers, one ?? 0, other ?? 1);
    family.faults.count('wrong_id');
  }
  if (answers.length > 1 && isOnFor(family.faults, 'batch_shuffled', subject)) {
    mixed = shuffled(family.random, mixed);
    family.faults.count('batch_shuffled');
  }
  return mixed;
}

function isOnFor(faults: Faults, name: BatchFault, subject: Subject): boolean {
  const use = faults.on(name, subject.methods);
  return use !== undefined && concerns(use, subject.text);
}

function exchangeIds(answers: readonly Json[], one: number, other: number): readonly Json[] {
  const idAt = (at: number): Json => {
    const answer = answers[at];
    return isObject(answer) ? (answer.id ?? null) : null;
  };
  return answers.map((answer, at) => {
    if (!isObject(answer) || (at !== one && at !== other)) return answer;
    return { ...answer, id: idAt(at === one ? other : one) };
  });
}
