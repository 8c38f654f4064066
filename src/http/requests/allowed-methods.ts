// Knows the methods of every path, so that a wrong method returns 405 with Allow and a wrong path returns 404.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasPercentInPath } from './request-checks.ts';

export interface AllowedMethods {
  /** Returns the methods of the route for this path. The list is empty if no route matches. */
  of(path: string): readonly string[];
  /**
   * Whether the router chose a wrong route. This happens if the router decoded the path, or if a parameter matched an empty
   * segment or a path that has its own route.
   */
  wasMisled(request: FastifyRequest): boolean;
}

/** Removes the query from a URL. The query must not be logged, because a client may have put a secret into it by mistake. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const routes = new Map<string, { readonly segments: string[]; readonly methods: Set<string> }>();
  /** The routes without parameters. They take precedence over routes with parameters. */
  const fixed = new Map<string, ReadonlySet<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { segments: url.split('/'), methods: new Set() };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
    if (!/[:*]/.test(url)) fixed.set(url, route.methods);
  });
  return {
    of: (path) => {
      const exact = fixed.get(path);
      if (exact !== undefined) return [...exact].sort();
      const segments = path.split('/');
      const methods = [...routes.values()]
        .filter((route) => matches(route.segments, segments))
        .flatMap((r) => [...r.methods]);
      return [...new Set(methods)].sort();
    },
    wasMisled: ({ routeOptions, url }) => {
      if (hasPercentInPath(url)) return true;
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
