// A console route: what the OpenAPI document says about it, what it needs of the person who asks, and its handler. Each kind
// of access has its own builder, so that a handler gets exactly what the guard has found.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { SignedInSession } from '../../app/people/sessions.ts';
import type { BusinessPermission, BusinessRole, OperatorPermission } from '../../domain/people/roles.ts';
import type { RefusalCode } from '../../domain/values/refusals.ts';
import type { Result } from '../../domain/values/result.ts';
import type { JsonOf } from '../../renderings/parts/schemas.ts';
import type { OperatorReadScope, RouteAccess } from './access.ts';
import type { ClientLimit } from './admission/client-limits.ts';
import type { ConsoleDeps } from './deps.ts';
import type { ConsoleCode, ConsoleRefusal } from './refusals.ts';

/** The members of an answer beside `status`. */
export type AnswerMembers = Readonly<Record<string, TSchema>>;

/** What a handler gives: exactly what the document says that the route answers. */
export type HandlerResult<Answer extends AnswerMembers> = Promise<
  Result<JsonOf<TObject<Answer>>, ConsoleRefusal>
>;

interface RouteDocs<Body extends TObject, Answer extends AnswerMembers> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The operationId. */
  readonly name: string;
  readonly summary: string;
  readonly tag: Tag;
  readonly body?: Body;
  readonly query?: TObject;
  readonly answer: Answer;
  /** Beside those that every route of its kind has. */
  readonly refusals?: readonly (ConsoleCode | RefusalCode)[];
  readonly limit?: ClientLimit;
  /** The body is a file, as it is, and reaches the handler as a stream. */
  readonly takes?: 'file';
  /** The answer is no JSON: the handler begins it itself, and everything that can be refused is refused before. */
  readonly sends?: SentContent;
}

/** What a route answers with that does not answer with JSON. */
export interface SentContent {
  readonly contentType: 'text/csv' | 'text/event-stream';
  readonly description: string;
}

export const TAGS = {
  'Sign-in': 'From the password to a session.',
  Session: 'The person who is signed in, their sessions, password and second factors.',
  Invitations: 'To a business, or to the operator.',
  'Sign-up': 'A business signs itself up.',
  Business: 'What the members of a business see and manage.',
  Webhooks: 'The webhook endpoints of a business, and what was delivered to them.',
  Requests: 'What a business asked the API, and was answered.',
  Operator: 'Businesses, people and sign-ups, as the operator sees them.',
  Reviews: 'Money that waits for people, and decisions by two of them.',
  Ledger: 'Balances, postings and entries.',
  Rails: 'The banks that pay: their health, the routing table, and the payouts made through them.',
  Reconciliation: 'The books against the statements of the banks, day by day, and reports.',
  Statements: 'Statement files of bank accounts, and the days that they cover.',
  Treasury: 'What the operator holds: tokens, vendor accounts and rates.',
  Stops: 'What stands still, and why.',
  Audit: 'The audit log.',
  Service: 'About this API.',
} as const;

export type Tag = keyof typeof TAGS;

export interface RouteCall<Body = unknown> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface SignedInCall<Body = unknown> extends RouteCall<Body> {
  readonly signedIn: SignedInSession;
  /** The person's id. */
  readonly actor: string;
}

export interface BusinessCall<Body = unknown> extends SignedInCall<Body> {
  readonly businessId: string;
  readonly role: BusinessRole;
}

/** Where a browser is sent on to. */
export interface Redirect {
  readonly status: 302 | 303;
  readonly location: string;
}

/** A public GET that a browser passes through on its way to another page: it answers with a redirect. */
export interface Navigation {
  /** What each redirect means. */
  readonly answers: Readonly<Partial<Record<Redirect['status'], string>>>;
  /** Threat 80: no other GET changes anything, and this one nothing but what is named here. */
  readonly changes: string;
}

export interface ConsoleRoute extends RouteDocs<TObject, AnswerMembers> {
  readonly access: RouteAccess;
  readonly navigation?: Navigation;
  readonly handle: (call: BusinessCall<never>, deps: ConsoleDeps) => Promise<Result<object, ConsoleRefusal>>;
}

type RouteHandler<C, Answer extends AnswerMembers> = (call: C, deps: ConsoleDeps) => HandlerResult<Answer>;

export function publicRoute<Answer extends AnswerMembers, Body extends TObject = TObject>(
  docs: RouteDocs<Body, Answer>,
  handle: RouteHandler<RouteCall<Static<Body>>, Answer>,
): ConsoleRoute {
  return { ...docs, access: 'public', handle };
}

/** Declares the exception to "no GET changes anything". */
export function navigationRoute(
  docs: Omit<RouteDocs<TObject, AnswerMembers>, 'method' | 'body' | 'answer' | 'limit'> & {
    readonly limit: ClientLimit;
  },
  navigation: Navigation,
  handle: (call: RouteCall, deps: ConsoleDeps) => Promise<Result<Redirect, ConsoleRefusal>>,
): ConsoleRoute {
  return { ...docs, method: 'GET', answer: {}, access: 'public', navigation, handle };
}

export function sessionRoute<Answer extends AnswerMembers, Body extends TObject = TObject>(
  docs: RouteDocs<Body, Answer>,
  handle: RouteHandler<SignedInCall<Static<Body>>, Answer>,
): ConsoleRoute {
  return { ...docs, access: 'session', handle };
}

/** `path`: below the business. */
export function businessRoute<Answer extends AnswerMembers, Body extends TObject = TObject>(
  permission: BusinessPermission,
  docs: RouteDocs<Body, Answer>,
  handle: RouteHandler<BusinessCall<Static<Body>>, Answer>,
): ConsoleRoute {
  const path = `/console/v1/businesses/:business_id${docs.path}`;
  return { ...docs, path, access: { business: permission }, handle };
}

/** `path`: below the operator. */
export function operatorRoute<Answer extends AnswerMembers, Body extends TObject = TObject>(
  permission: OperatorPermission,
  reads: OperatorReadScope,
  docs: RouteDocs<Body, Answer>,
  handle: RouteHandler<SignedInCall<Static<Body>>, Answer>,
): ConsoleRoute {
  const path = `/console/v1/operator${docs.path}`;
  return { ...docs, path, access: { operator: permission, reads }, handle };
}
