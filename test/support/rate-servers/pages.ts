// HTML pages that a client gets instead of JSON: from a content network that blocks the client, from a proxy whose server is
// unreachable, and from a maintenance page.

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** The content type of the response; application/json if it is missing. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const page = (title: string, text: string) =>
  `<!DOCTYPE html>\n<html lang="en-US">\n<head><title>${title}</title></head>\n<body>\n${text}\n</body>\n</html>\n`;

export const blockedPage = (): Answer => ({
  status: 403,
  type: 'text/html; charset=UTF-8',
  headers: { server: 'cloudflare', 'cf-ray': '8f2a6c1b7e0d4c55-LOS', 'cache-control': 'private, max-age=0' },
  body: page(
    'Attention Required! | Cloudflare',
    '<h1 data-translate="block_headline">Sorry, you have been blocked</h1>\n<p>Cloudflare Ray ID: <strong>8f2a6c1b7e0d4c55</strong></p>',
  ),
});

export const gatewayPage = (): Answer => ({
  status: 502,
  type: 'text/html',
  headers: { server: 'nginx' },
  body: page('502 Bad Gateway', '<center><h1>502 Bad Gateway</h1></center>\n<hr><center>nginx</center>'),
});

export const tooManyPage = (headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 429,
  type: 'text/html',
  headers,
  body: page('429 Too Many Requests', '<center><h1>429 Too Many Requests</h1></center>'),
});

export const absentPage = (): Answer => ({
  status: 404,
  type: 'text/html',
  body: page('404 Not Found', '<center><h1>404 Not Found</h1></center>'),
});

export const maintenancePage = () => page('Maintenance', '<p>We will be back soon: {"rate": 1}</p>');
