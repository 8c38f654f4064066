// Handles requests to Horizon over HTTP. Each request passes the rules of the active faults in their order. Links in the
// responses point to this provider, whatever host Horizon wrote into them.
import { concerns, type Faults, type Use } from '../faults.ts';
import { type Json, type JsonObject, readJson, writeJson } from '../json.ts';
import { overTransport, type Subject, type Transport } from '../transport.ts';
import type { Call, Reply, Rules } from '../wire.ts';

export interface HorizonReply {
  readonly status: number;
  readonly headers: Reply['headers'];
  readonly json: Json;
}

/** The effect of one fault. If a function of the rule returns undefined, nothing changes. */
export interface HorizonRule {
  readonly fits: (call: Call) => boolean;
  /** Whether the rule looks for `about` in the records of the response. Otherwise the call itself must contain it. */
  readonly amongEntries?: boolean;
  readonly ask?: (call: Call, use: Use) => HorizonReply | undefined;
  readonly reply?: (reply: HorizonReply, call: Call, use: Use) => HorizonReply | undefined;
}

export interface HorizonFamily {
  readonly faults: Faults;
  readonly rules: Readonly<Record<string, HorizonRule>>;
  readonly transport: Transport;
  readonly upstream: string;
  readonly sent: (call: Call) => string | undefined;
  /** Receives every true response before the faults change it. */
  readonly learn: (call: Call, reply: HorizonReply) => void;
}

export function horizonRules(family: HorizonFamily): Rules {
  return async (call, pass) => {
    const subject = subjectOf(call, family);
    return overTransport(family.transport, { subject, call, pass }, async (through) => {
      const own = ask(call, subject, family);
      if (own !== undefined) return written(own);
      return changed(linkedHere(await through(call), call, family), call, subject, family);
    });
  };
}

export function problem(status: number, type: string, title: string, extras?: JsonObject): HorizonReply {
  return {
    status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    json: {
      type: `https://stellar.org/horizon-errors/${type}`,
      title,
      status,
      detail: `${title}.`,
      ...(extras === undefined ? {} : { extras }),
    },
  };
}

/** All names in a request: its path, its query, its form, and the hash of the transaction that it submits. */
export function namesOf(call: Call, sent?: string): string {
  const form = call.body === '' ? '' : [...new URLSearchParams(call.body).values()].join(' ');
  return `${call.path} ${[...call.query.values()].join(' ')} ${form} ${sent ?? ''}`;
}

function subjectOf(call: Call, { sent }: HorizonFamily): Subject {
  const hash = sent(call);
  const lastWord = call.path.split('/').findLast((word) => word !== '') ?? '/';
  return { text: namesOf(call, hash), methods: [call.method, lastWord], sends: hash !== undefined };
}

function useOf(
  name: string,
  rule: HorizonRule,
  call: Call,
  subject: Subject,
  faults: Faults,
): Use | undefined {
  if (!rule.fits(call)) return undefined;
  const use = faults.on(name, subject.methods);
  return use !== undefined && (rule.amongEntries || concerns(use, subject.text)) ? use : undefined;
}

function ask(call: Call, subject: Subject, { faults, rules }: HorizonFamily): HorizonReply | undefined {
  for (const [name, rule] of Object.entries(rules)) {
    const use = useOf(name, rule, call, subject, faults);
    const own = use === undefined ? undefined : rule.ask?.(call, use);
    if (own === undefined) continue;
    faults.count(name);
    return own;
  }
  return undefined;
}

function changed(reply: Reply, call: Call, subject: Subject, family: HorizonFamily): Reply {
  const json = readJson(reply.body);
  if (json === undefined || reply.status >= 300) return reply;
  const truth: HorizonReply = { status: reply.status, headers: reply.headers, json };
  family.learn(call, truth);
  let answer = truth;
  for (const [name, rule] of Object.entries(family.rules)) {
    const use = answer.status < 300 ? useOf(name, rule, call, subject, family.faults) : undefined;
    const other = use === undefined ? undefined : rule.reply?.(answer, call, use);
    if (other === undefined) continue;
    family.faults.count(name);
    answer = other;
  }
  if (answer === truth) return reply;
  return answer.json === json ? { ...reply, headers: answer.headers } : written(answer);
}

function written(reply: HorizonReply): Reply {
  return { status: reply.status, headers: reply.headers, body: writeJson(reply.json) };
}

function linkedHere(reply: Reply, call: Call, { upstream }: HorizonFamily): Reply {
  const { origin } = new URL(upstream);
  const { host } = call.headers;
  if (host === undefined || !reply.body.includes(origin)) return reply;
  return { ...reply, body: reply.body.replaceAll(origin, `http://${host}`) };
}
