// The control port of the local banks. It reads and writes JSON. An invalid request gets status 400 with the reason.
import type { BankBooks } from '../books/books.ts';
import type { Faults } from '../faults/faults.ts';
import {
  type BankRequest,
  type LocalBankAnswer,
  listenLocally,
  type RunningServer,
  readRequest,
  sendAnswer,
} from '../http/server.ts';
import type { ControlActions } from './actions.ts';
import { booksOverviewOf } from './overview.ts';
import { BadRequestError, type RequestFields, readFault } from './requests.ts';

export interface ControlContext {
  readonly books: BankBooks;
  readonly faults: Faults;
  readonly actions: ControlActions;
  about(): unknown;
}

type ControlHandler = (fields: RequestFields, params: readonly string[]) => unknown;

export function startControlServer(controlled: ControlContext, port: number): Promise<RunningServer> {
  const routes = routesOf(controlled);
  return listenLocally(async (incoming, response) => {
    const given = await answerControl(routes, await readRequest(incoming));
    if (typeof given.body !== 'string') return sendAnswer(response, given);
    response.writeHead(given.status, { 'content-type': 'text/csv; charset=utf-8' });
    response.end(given.body);
  }, port);
}

function routesOf({
  books,
  faults,
  actions,
  about,
}: ControlContext): readonly (readonly [RegExp, ControlHandler])[] {
  return [
    [/^GET \/$/, about],
    [/^GET \/books$/, () => booksOverviewOf(books)],
    [
      /^GET \/statements\/(\w+)\/(\d+)(?:\/([\d-]+)\/([\d-]+))?$/,
      (_, [rail, number, from, to]) => actions.statement({ rail, number, from, to }),
    ],
    [/^GET \/faults$/, () => faults.list()],
    [/^POST \/faults$/, (fields) => ({ id: faults.set(readFault(fields)) })],
    [/^DELETE \/faults$/, () => clearFaults(faults)],
    [/^DELETE \/faults\/([\w-]+)$/, (_, [id]) => clearFaults(faults, id)],
    [/^POST \/pay-in$/, actions.payIn],
    [/^POST \/reverse$/, actions.reverse],
    [/^POST \/take-back$/, actions.takeBack],
    [/^POST \/top-up$/, actions.topUp],
    [/^POST \/accounts$/, actions.setAccount],
    [/^PUT \/webhooks$/, actions.setWebhooks],
    [/^PUT \/validation$/, actions.setValidation],
  ];
}

function clearFaults(faults: Faults, id?: string): unknown {
  faults.clear(id);
  return faults.list();
}

async function answerControl(
  routes: readonly (readonly [RegExp, ControlHandler])[],
  { method, path, json }: BankRequest,
): Promise<LocalBankAnswer> {
  for (const [pattern, handle] of routes) {
    const match = pattern.exec(`${method} ${path}`);
    if (match === null) continue;
    try {
      return { status: 200, body: await handle(json, match.slice(1)) };
    } catch (error) {
      if (error instanceof BadRequestError) return { status: 400, body: { error: error.message } };
      throw error;
    }
  }
  return { status: 404, body: { error: `There is no ${method} ${path}. GET / lists what there is.` } };
}
