// The page at `/`: a description of the service, its links, the place of the credentials, and a first buy from the request to
// the tokens. The page has no script and no external resource, and the content security policy allows its style by a hash. Its
// design is that of the dashboard (dashboard/src/theme).
import { hash } from 'node:crypto';
import type { SandboxPersonName } from '../../ports/sandbox-file.ts';
import { escapeHtml, LOGO, THEME_STYLE } from './html.ts';

export interface HomePageFacts {
  readonly baseUrl: string;
  readonly secretKeyHeader: string;
  readonly version: string;
  /** The file with the sandbox credentials; null with DATABASE_URL, because the service then creates no credentials. */
  readonly credentialsFile: string | null;
  /**
   * The people whose credentials are in the file. The list never contains disabled people, or people of a service with real
   * money.
   */
  readonly people: readonly SandboxPersonName[];
}

export function renderHomePage(facts: HomePageFacts): { html: string; contentSecurityPolicy: string } {
  const styleHash = hash('sha256', STYLE, 'base64');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#0B6B45">
<link rel="icon" type="image/svg+xml" href="/app/logo.svg">
<title>Sliproad</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${LOGO}Sliproad</h1>
<p class="lead">From naira in a bank account to a naira stablecoin, and back, on Stellar, Polygon, Solana and Avalanche.</p>
<p class="row"><a class="button" href="/app/sign-in">Sign in</a> <a class="button plain" href="/app/sign-up">Sign up a business</a>
<a class="button plain" href="/docs/guide">Guide</a> <a class="button plain" href="/docs">API reference</a></p>
<p class="row small"><a href="/openapi.json">OpenAPI document</a> <a href="/docs/postman.json">Postman collection</a>
<span class="quiet">version ${escapeHtml(facts.version)}</span></p>
</header>
<section aria-labelledby="credentials">
<h2 id="credentials">Your credentials</h2>
${renderCredentials(facts)}
</section>
<section aria-labelledby="calls">
<h2 id="calls">First calls</h2>
${renderCalls(facts)}
</section>
</main>
</body>
</html>
`,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

const PEOPLE: Readonly<Record<SandboxPersonName, string>> = {
  operator: 'an operator',
  approver: 'an approver',
  member: 'a member of the business',
};

const listed = new Intl.ListFormat('en-GB');

function renderPeople(people: HomePageFacts['people']): string {
  if (people.length === 0) return '';
  return `
<p>For the <a href="/app/sign-in">sign-in</a> the same file has <code>email</code>, <code>password</code> and <code>totp_secret</code> of
${listed.format(people.map((name) => PEOPLE[name]))}. Add the <code>totp_secret</code> to an authenticator application.</p>`;
}

function renderCredentials({ credentialsFile, people }: HomePageFacts): string {
  if (credentialsFile === null) {
    return `<p>Add a business and a key on the command line:</p>
${renderCode(`bin/sliproad businesses add --name "My business" --link-tag my-business
bin/sliproad keys add --business <business_id> --mode test`)}
<p>The calls below use the shell variables <code>KEY</code>, <code>BUSINESS</code> and <code>TAG</code>. Set them to the
key, the business_id and the link_tag that the commands print.</p>`;
  }
  return `<p>A sandbox business was added at the first start. Its business_id, link_tag and keys are in this file, which only its
owner can read:</p>
${renderCode(credentialsFile)}
<p>Read them into shell variables:</p>
${renderCode(shellVariables(credentialsFile))}${renderPeople(people)}`;
}

function renderCalls({ baseUrl, secretKeyHeader }: HomePageFacts): string {
  const call = (path: string) => `curl -s "${baseUrl}${path}" -H "${secretKeyHeader}: $KEY"`;
  const post = (path: string, body: string, more = '') =>
    `${call(path)} \\
  -H 'content-type: application/json'${more} -d '${body}'`;
  return `<ol>
<li><p>List the vendor accounts that a buyer pays into:</p>
${renderCode(call('/transactions/v1/vendors'))}</li>
<li><p>Send a buy:</p>
${renderCode(post('/transactions/v1/onramp', BUY))}</li>
<li><p>Simulate the payment into the vendor account. In the sandbox you play the bank:</p>
${renderCode(post('/sandbox/v1/bank-credits', PAYMENT, " -H 'idempotency-key: first-payment'"))}</li>
<li><p>Read the buy. Within seconds its state is <code>completed</code>, and it has a <code>tx_hash</code>:</p>
${renderCode(call('/transactions/v1?reference=first-buy'))}</li>
</ol>
<p>With the header <code>svc-scenario: paid</code> on a buy or a sell the sandbox does the third step itself. Other scenarios
simulate late, short or failed payments: see the <a href="/docs">reference</a>.</p>`;
}

const BUY = `{
  "business_id": "'$BUSINESS'", "link_tag": "'$TAG'", "type": "buy_ramp",
  "amount": 20000, "reference": "first-buy", "vendor_number": "9900000028",
  "vendor_name": "Sandbox Vendor Two", "vendor_bank": "Wema Bank",
  "bank_name": "GTBank", "account_number": "0123456785", "account_name": "Adaeze Okafor",
  "network": "Polygon", "wallet_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
}`;

const PAYMENT = `{
  "vendor_number": "9900000028", "amount": 20000, "payer_name": "Adaeze Okafor",
  "payer_bank_name": "GTBank", "payer_account_number": "0123456785"
}`;

/** The shell commands read the credentials with node, because node is always installed with the service. */
function shellVariables(file: string): string {
  const read = (field: string) => `$(node -p "require('${file}').${field}")`;
  return `KEY=${read('test_key')}
BUSINESS=${read('business_id')}
TAG=${read('link_tag')}`;
}

function renderCode(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

const STYLE = `
${THEME_STYLE}main { max-width: 56rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
h1 { display: flex; align-items: center; gap: .75rem; margin: 0; font-size: 1.75rem; font-weight: 600; letter-spacing: -.02em; }
h1 svg { color: var(--brand); }
h2 { margin: 0 0 .75rem; font-size: 1rem; font-weight: 600; }
section { margin-top: 1.5rem; padding: 1.5rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; }
section > p:first-of-type { margin-top: 0; }
section > :last-child { margin-bottom: 0; }
ol { margin: 0; padding: 0; list-style: none; counter-reset: step; }
li { counter-increment: step; }
li > p { position: relative; margin: 0; padding-left: 2.25rem; font-weight: 500; }
li > p::before { content: counter(step); position: absolute; top: -.0625rem; left: 0; width: 1.5rem; height: 1.5rem; border-radius: 50%; text-align: center;
  line-height: 1.5rem; font-size: .75rem; font-weight: 600; color: var(--quiet); background: var(--panel); }
.lead { margin: .75rem 0 1.5rem; font-size: 1rem; color: var(--quiet); max-width: 40rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0; }
.small { gap: .5rem 1.5rem; margin-top: 1rem; font-size: .75rem; }
.quiet { color: var(--quiet); }
a.button { display: inline-flex; align-items: center; min-height: 2.625rem; padding: 0 1.25rem; border: 1px solid var(--button);
  border-radius: 5px; background: var(--button); color: #ffffff; text-decoration: none; font-weight: 600; }
a.button:hover { background: var(--button-over); }
a.button.plain { border-color: var(--line); background: var(--surface); color: var(--text); }
a.button.plain:hover { background: var(--panel); }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
pre { margin: .5rem 0 1.25rem; padding: .75rem 1rem; overflow-x: auto; background: var(--panel);
  border: 1px solid var(--line); border-radius: .5rem; font: .8125rem/1.6 ui-monospace, "SF Mono", "Cascadia Mono", Menlo,
  "DejaVu Sans Mono", monospace; }
p code { font: .9em ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace; }
@media (max-width: 600px) {
  main { padding: 2rem 1rem 3rem; }
  section { padding: 1.25rem 1rem; }
  a.button { flex: 1 1 auto; justify-content: center; }
}
`;
