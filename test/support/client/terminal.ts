// A terminal for client commands in a test. It stores the output, and the test can send Ctrl-C. Its DATA_DIR has the
// credentials of a test service, like a sandbox.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Terminal } from '../../../src/cli/command.ts';
import type { Json } from '../../../src/cli/terminal/json.ts';
import type { TestService } from '../service.ts';

export interface ClientTerminal extends Terminal {
  readonly printed: readonly string[];
  readonly notes: readonly { readonly line: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly emitted: readonly any[];
  interrupt(): void;
}

/** `baseUrl`: the address of the service, if the commands must use another address than the service's own. */
export function openClientTerminal(
  dataDir: string,
  { business, baseUrl }: Pick<TestService, 'business' | 'baseUrl'>,
  options: { readonly json?: boolean } = {},
): ClientTerminal {
  mkdirSync(dataDir, { recursive: true });
  const { businessId: business_id, linkTag: link_tag, testKey: test_key } = business;
  const sandbox = { base_url: baseUrl, business_id, link_tag, test_key };
  writeFileSync(path.join(dataDir, 'sandbox.json'), JSON.stringify(sandbox));
  const stop = new AbortController();
  const printed: string[] = [];
  const notes: { line: string }[] = [];
  const emitted: Json[] = [];
  const json = options.json ?? false;
  const terminal = {
    config: { dataDir, secretKeyHeader: 'svc-sec-key' },
    ...{ json, printed, notes, emitted },
    interrupted: stop.signal,
    interrupt: () => stop.abort(),
    print: (line: string) => void (json || printed.push(line)),
    note: (line: string) => void notes.push({ line }),
    emit: (line: Json) => void emitted.push(line),
    progress: () => undefined,
  };
  return terminal as unknown as ClientTerminal;
}
