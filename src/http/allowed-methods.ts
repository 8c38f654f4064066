// Knows which methods a path has, so that a wrong method gets 405 with Allow and a wrong path gets 404.
import type { FastifyInstance } from 'fastify';

export interface AllowedMethods {
  /** The methods of the route this path belongs to; empty when there is none. */
  of(path: string): readonly string[];
}

export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const routes: { segments: string[]; methods: Set<string> }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const segments = url.split('/');
    let route = routes.find((each) => each.segments.join('/') === url);
    if (route === undefined) {
      route = { segments, methods: new Set() };
      routes.push(route);
    }
    for (const each of [method].flat()) route.methods.add(each);
  });
  return {
    of: (path) => {
      const segments = path.split('/');
      const methods = routes
        .filter((route) => matches(route.segments, segments))
        .flatMap((r) => [...r.methods]);
      return [...new Set(methods)].sort();
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
