// Knows which methods a path has, so that a wrong method gets 405 with Allow and a wrong path gets 404.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isSpeltOddly } from './request-checks.ts';

export interface AllowedMethods {
  /** The methods of the route this path belongs to; empty when there is none. */
  of(path: string): readonly string[];
  /**
   * The router found a route that is not this path's: by decoding it, or with a parameter that caught a path which has
   * a route of its own, or nothing.
   */
  wasMisled(request: FastifyRequest): boolean;
}

/** The query may carry what does not belong there, such as a key: nothing looks at it here, and it is never logged. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const routes: { segments: string[]; methods: Set<string> }[] = [];
  /** The routes without parameters, which come before those with. */
  const fixed = new Map<string, ReadonlySet<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const segments = url.split('/');
    let route = routes.find((each) => each.segments.join('/') === url);
    if (route === undefined) {
      route = { segments, methods: new Set() };
      routes.push(route);
    }
    for (const each of [method].flat()) route.methods.add(each);
    if (!/[:*]/.test(url)) fixed.set(url, route.methods);
  });
  return {
    of: (path) => {
      const exact = fixed.get(path);
      if (exact !== undefined) return [...exact].sort();
      const segments = path.split('/');
      const methods = routes
        .filter((route) => matches(route.segments, segments))
        .flatMap((r) => [...r.methods]);
      return [...new Set(methods)].sort();
    },
    wasMisled: ({ routeOptions, url }) => {
      if (isSpeltOddly(url)) return true;
      if (routeOptions.url?.includes(':') !== true) return false;
      const path = pathOf(url);
      return fixed.has(path) || path.endsWith('/');
    },
  };
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.at(-1) === '*') {
    return (
      pattern.slice(0, -1).every((each, index) => each === segments[index]) &&
      segments.length >= pattern.length
    );
  }
  return (
    pattern.length === segments.length &&
    pattern.every((each, index) => (each.startsWith(':') ? segments[index] !== '' : each === segments[index]))
  );
}
