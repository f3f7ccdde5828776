import type { FastifyInstance } from "fastify";

export type Route = {
  readonly method: string;
  /** With the names of its parts, such as `/posts/:guid`. */
  readonly path: string;
};

const INDENT = 4;

/** Every route of an application that is ready, but for HEAD, which goes with GET. */
export function listRoutes(app: FastifyInstance): Route[] {
  const routes: Route[] = [];
  const parents: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split("\n")) {
    const [, indent, part, methods] =
      /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    const depth = indent.length / INDENT;
    const path = (parents[depth - 1] ?? "") + part;
    parents[depth] = path;
    for (const method of methods?.split(", ") ?? [])
      if (method !== "HEAD") routes.push({ method, path });
  }
  return routes;
}

/** The path with these values in its parts; other parts get `fallback`. */
export function fillPath(
  path: string,
  values: Readonly<Record<string, string>>,
  fallback = "999999999",
): string {
  return path.replace(
    /:([a-z_]+)/g,
    (_, name: string) => values[name] ?? fallback,
  );
}
