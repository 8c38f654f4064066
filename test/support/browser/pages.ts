// The addresses of all pages, read from the router, so that a new page is tested without a change here.
import { readFileSync } from 'node:fs';

const router = readFileSync(new URL('../../../dashboard/src/router.tsx', import.meta.url), 'utf8');

function paths(name: string): readonly string[] {
  const [, body = ''] = new RegExp(`const ${name}[^{]*= \\{([^}]*)\\}`).exec(router) ?? [];
  return [...body.matchAll(/'(\/[^']*)': \(\) => import/g)].map(([, path]) => path!);
}

export const PUBLIC_PAGES = paths('PUBLIC');
export const BUSINESS_PAGES = paths('BUSINESS');
export const OPERATOR_PAGES = paths('OPERATOR');
