// Refuses import cycles, because files that import each other can only be understood, tested and loaded together. A type import
// counts too, because a reader follows it like any other import.
import { importsOf, readCode, resolveImport } from './source.ts';

interface ImportArrow {
  readonly to: string;
  readonly line: number;
}

export function findCircles(root: string): string[] {
  const sources = readCode(root);
  const known = new Set(sources.map(({ file }) => file));
  const graph = new Map<string, readonly ImportArrow[]>();
  for (const source of sources) {
    const arrows = importsOf(source).map(({ target, line }) => ({
      to: resolveImport(source.file, target) ?? '',
      line,
    }));
    graph.set(
      source.file,
      arrows.filter(({ to }) => known.has(to)),
    );
  }
  return findKnots(graph).map((knot) => circleMessage(graph, knot));
}

function circleMessage(
  graph: ReadonlyMap<string, readonly ImportArrow[]>,
  knot: ReadonlySet<string>,
): string {
  const circle = findShortestCircle(graph, knot);
  const [first = '', second = first] = circle;
  const line = graph.get(first)!.find(({ to }) => to === second)!.line;
  const way = [...circle, first].join(' → ');
  const more = knot.size > circle.length ? ` (${knot.size} files are in the knot)` : '';
  return `${first}:${line}: import circle ${way}${more}: move what both need into a file that imports neither`;
}

/** The shortest path from the first file of a cycle group back to itself. */
function findShortestCircle(
  graph: ReadonlyMap<string, readonly ImportArrow[]>,
  knot: ReadonlySet<string>,
): string[] {
  const start = [...knot].sort()[0]!;
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const { to } of graph.get(way.at(-1)!)!) {
      if (to === start) return way;
      if (!knot.has(to) || seen.has(to)) continue;
      seen.add(to);
      ways.push([...way, to]);
    }
  }
  throw new Error(`${start} is in no circle`);
}

/** The groups of files in which every file can reach every other file (Tarjan's strongly connected components). */
function findKnots(graph: ReadonlyMap<string, readonly ImportArrow[]>): ReadonlySet<string>[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: ReadonlySet<string>[] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const { to } of graph.get(file)!) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    const importsItself = graph.get(file)!.some(({ to }) => to === file);
    if (group.length > 1 || importsItself) found.push(new Set(group));
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}
