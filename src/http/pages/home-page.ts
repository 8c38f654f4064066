// The page at `/`: what this service is, where the credentials are, a first buy from request to tokens, and a link to the
// reference. It has no script and no external resource; the style is allowed by its hash.
import { hash } from 'node:crypto';

export interface HomePageFacts {
  readonly baseUrl: string;
  readonly secretKeyHeader: string;
  readonly version: string;
  /** The file with the sandbox credentials; null with DATABASE_URL, because then none are made. */
  readonly credentialsFile: string | null;
}

export function homePage(facts: HomePageFacts): { html: string; contentSecurityPolicy: string } {
  const styleHash = hash('sha256', STYLE, 'base64');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sliproad</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>Sliproad</h1>
<p class="lead">From naira in a bank account to a naira stablecoin, and back, on Stellar, Polygon, Solana and Avalanche.</p>
<p class="row"><a class="button" href="/docs">API reference</a> <a href="/openapi.json">OpenAPI document</a>
<a href="/app/sign-in">Sign in</a> <span class="quiet">version ${escapeHtml(facts.version)}</span></p>
</header>
<section aria-labelledby="credentials">
<h2 id="credentials">Your credentials</h2>
${credentials(facts)}
</section>
<section aria-labelledby="calls">
<h2 id="calls">First calls</h2>
${calls(facts)}
</section>
</main>
</body>
</html>
`,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

function credentials({ credentialsFile }: HomePageFacts): string {
  if (credentialsFile === null) {
    return `<p>Add a business and a key on the command line:</p>
${code(`bin/sliproad businesses add --name "My business" --link-tag my-business
bin/sliproad keys add --business <business_id> --mode test`)}
<p>The calls below use the shell variables <code>KEY</code>, <code>BUSINESS</code> and <code>TAG</code>. Set them to the
key, the business_id and the link_tag that the commands print.</p>`;
  }
  return `<p>A sandbox business was added at the first start. Its business_id, link_tag and keys are in this file, which only its
owner can read:</p>
${code(credentialsFile)}
<p>Read them into shell variables:</p>
${code(shellVariables(credentialsFile))}
<p>The same file has three people for the <a href="/app/sign-in">sign-in</a>: an operator, an approver and a member of the business,
each with <code>email</code>, <code>password</code> and <code>totp_secret</code>, which you add to an authenticator application.</p>`;
}

function calls({ baseUrl, secretKeyHeader }: HomePageFacts): string {
  const call = (path: string) => `curl -s "${baseUrl}${path}" -H "${secretKeyHeader}: $KEY"`;
  const post = (path: string, body: string, more = '') =>
    `${call(path)} \\
  -H 'content-type: application/json'${more} -d '${body}'`;
  return `<ol>
<li><p>List the vendor accounts that a buyer pays into:</p>
${code(call('/transactions/v1/vendors'))}</li>
<li><p>Send a buy:</p>
${code(post('/transactions/v1/onramp', BUY))}</li>
<li><p>Simulate the payment into the vendor account. In the sandbox you play the bank:</p>
${code(post('/sandbox/v1/bank-credits', PAYMENT, " -H 'idempotency-key: first-payment'"))}</li>
<li><p>Read the buy. Within seconds its state is <code>completed</code>, and it has a <code>tx_hash</code>:</p>
${code(call('/transactions/v1?reference=first-buy'))}</li>
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

/** Reads the credentials with node, which is always installed beside the service. */
function shellVariables(file: string): string {
  const read = (field: string) => `$(node -p "require('${file}').${field}")`;
  return `KEY=${read('test_key')}
BUSINESS=${read('business_id')}
TAG=${read('link_tag')}`;
}

function code(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const STYLE = `
:root { --ink: #1b2420; --quiet: #55635c; --paper: #fbfcfb; --panel: #eef2f0; --line: #d5ddd8; --accent: #0b6b46;
  --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ece9; --quiet: #9fb0a8; --paper: #121714; --panel: #1b231f; --line: #2e3a34; --accent: #5fd0a0;
    --on-accent: #0c1511; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; }
ol { margin: 1rem 0 0; padding: 0; list-style: none; counter-reset: step; }
li { counter-increment: step; }
li > p { margin: 0; }
li > p::before { content: counter(step) ". "; color: var(--quiet); }
.lead { margin: 0 0 1.25rem; font-size: 1.1rem; color: var(--quiet); max-width: 40rem; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem; }
.quiet { color: var(--quiet); }
a { color: var(--accent); }
a.button { padding: .45rem 1rem; border-radius: .4rem;
  background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600; }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre { margin: .5rem 0 1.25rem; padding: .9rem 1rem; overflow-x: auto; background: var(--panel);
  border: 1px solid var(--line); border-radius: .5rem; font: .875rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas,
  "DejaVu Sans Mono", monospace; }
p code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
`;
