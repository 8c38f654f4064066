// Defines a console route: its OpenAPI documentation, the access it requires, and its handler. Each kind of access has its own
// builder, so that a handler gets exactly the values that the guard has checked.
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

export type AnswerMembers = Readonly<Record<string, TSchema>>;

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
  readonly refusals?: readonly (ConsoleCode | RefusalCode)[];
  readonly limit?: ClientLimit;
  /** The request body is a file. The handler gets the file as an unchanged stream. */
  readonly takes?: 'file';
  /** The response is not JSON. The handler starts the response itself, after all checks that can refuse the request. */
  readonly sends?: SentContent;
}

export interface SentContent {
  readonly contentType: 'text/csv' | 'text/event-stream';
  readonly description: string;
}

export const TAGS = {
  'Sign-in': 'Signing in with a password and a second factor.',
  Session: 'The signed-in person: sessions, password and second factors.',
  Invitations: 'Invitations to a business or to the operator.',
  'Sign-up': 'Sign-up of a business.',
  Business: 'Data and settings of a business, for its members.',
  Webhooks: 'The webhook endpoints of a business, and their deliveries.',
  Requests: 'The API requests of a business, and the responses to them.',
  Operator: 'Businesses, people and sign-ups, for the operator.',
  Reviews: 'Money that needs a review, and decisions by two people.',
  Ledger: 'Balances, postings and entries.',
  Rails: 'The payout rails: their health, the routing table, and their payouts.',
  Reconciliation: 'The daily comparison of the books with the bank statements, and reports.',
  Statements: 'Statement files of bank accounts, and the days they cover.',
  Treasury: 'The tokens, vendor accounts and rates of the operator.',
  Stops: 'Paused movements, halted assets and frozen businesses.',
  Audit: 'The audit log.',
  Privacy: 'Personal data of one customer: its export and its erasure.',
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
  readonly actor: string;
}

export interface BusinessCall<Body = unknown> extends SignedInCall<Body> {
  readonly businessId: string;
  readonly role: BusinessRole;
}

export interface Redirect {
  readonly status: 302 | 303;
  readonly location: string;
}

/** A public GET route that a person's browser opens. Its response redirects the browser to another page. */
export interface Navigation {
  readonly answers: Readonly<Partial<Record<Redirect['status'], string>>>;
  /** The only effect of this route. GET routes without this declaration change nothing (threat 80). */
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

/** Declares an exception to the rule that GET routes change nothing. */
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

/** `path` is relative to the path of the business. */
export function businessRoute<Answer extends AnswerMembers, Body extends TObject = TObject>(
  permission: BusinessPermission,
  docs: RouteDocs<Body, Answer>,
  handle: RouteHandler<BusinessCall<Static<Body>>, Answer>,
): ConsoleRoute {
  const path = `/console/v1/businesses/:business_id${docs.path}`;
  return { ...docs, path, access: { business: permission }, handle };
}

/** `path` is relative to the path of the operator's routes. */
export function operatorRoute<Answer extends AnswerMembers, Body extends TObject = TObject>(
  permission: OperatorPermission,
  reads: OperatorReadScope,
  docs: RouteDocs<Body, Answer>,
  handle: RouteHandler<SignedInCall<Static<Body>>, Answer>,
): ConsoleRoute {
  const path = `/console/v1/operator${docs.path}`;
  return { ...docs, path, access: { operator: permission, reads }, handle };
}
