// Applies transport faults, which can affect every protocol: delays, broken connections, limits, HTML pages instead of data,
// truncated responses, repeated keys, and requests that a gateway sends a second time.
import { concerns, type Faults } from './faults.ts';
import { type Lies, readJson, writeDoubled } from './json.ts';
import type { Call, Pass, Reply } from './wire.ts';

export const TRANSPORT_FAULTS = [
  'slow',
  'cut',
  'too_many',
  'html',
  'half_json',
  'doubled_keys',
  'doubled',
] as const;

export type TransportFault = (typeof TRANSPORT_FAULTS)[number];

/** What the faults must know about a call, independent of its protocol. */
export interface Subject {
  /** All names in the call. The faults look for `about` in this text. */
  readonly text: string;
  readonly methods: readonly string[];
  readonly sends: boolean;
}

export interface Transport {
  readonly faults: Faults;
  readonly lies: Lies;
  readonly tooMany: string;
}

const PAGE =
  '<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head>' +
  '<body><h1>We are performing maintenance</h1></body></html>\n';

export async function overTransport(
  { faults, lies, tooMany }: Transport,
  { subject, call, pass }: { readonly subject: Subject; readonly call: Call; readonly pass: Pass },
  answer: (pass: Pass) => Promise<Reply>,
): Promise<Reply> {
  const refusal = refused(faults, subject, tooMany);
  if (refusal !== undefined) {
    if (refusal.passedOn) await answer(pass);
    return refusal.reply;
  }
  const reply = await answer(isOn(faults, 'doubled', subject) && mayDouble(subject, call) ? twice : pass);
  return damaged(faults, subject, lies, reply);

  async function twice(passed: Call): Promise<Reply> {
    faults.count('doubled');
    await pass(passed);
    return pass(passed);
  }
}

function isOn(faults: Faults, name: TransportFault, subject: Subject): boolean {
  return optionsOf(faults, name, subject) !== undefined;
}

function optionsOf(faults: Faults, name: TransportFault, subject: Subject) {
  const use = faults.on(name, subject.methods);
  return use !== undefined && concerns(use, subject.text) ? use.options : undefined;
}

// A repeated read has no effect, so the faults send only submissions twice.
function mayDouble(subject: Subject, call: Call): boolean {
  return subject.sends && call.method === 'POST';
}

function refused(
  faults: Faults,
  subject: Subject,
  tooMany: string,
): { readonly reply: Reply; readonly passedOn: boolean } | undefined {
  const limit = optionsOf(faults, 'too_many', subject);
  if (limit !== undefined) {
    faults.count('too_many');
    const headers = { 'content-type': 'application/json', 'retry-after': String(limit.by ?? 1) };
    return { reply: { status: 429, headers, body: tooMany }, passedOn: limit.passedOn ?? false };
  }
  const page = optionsOf(faults, 'html', subject);
  if (page === undefined) return undefined;
  faults.count('html');
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return { reply: { status: 200, headers, body: PAGE }, passedOn: page.passedOn ?? false };
}

function damaged(faults: Faults, subject: Subject, lies: Lies, whole: Reply): Reply {
  let reply = whole;
  const doubling = optionsOf(faults, 'doubled_keys', subject);
  if (doubling !== undefined) {
    const value = readJson(reply.body);
    const body = value === undefined ? undefined : writeDoubled(value, lies, doubling.key);
    if (body !== undefined) {
      faults.count('doubled_keys');
      reply = { ...reply, body };
    }
  }
  if (isOn(faults, 'half_json', subject) && reply.body.length > 1) {
    faults.count('half_json');
    reply = { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) };
  }
  const slow = optionsOf(faults, 'slow', subject);
  if (slow !== undefined) {
    faults.count('slow');
    reply = { ...reply, afterMs: slow.ms ?? 1_000 };
  }
  if (!isOn(faults, 'cut', subject)) return reply;
  faults.count('cut');
  return { ...reply, cut: true };
}
