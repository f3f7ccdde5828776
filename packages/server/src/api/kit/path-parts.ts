import type { TObject, TSchema } from "typebox";
import { readInput } from "../../http/input/input.ts";
import { SWITCH_WORDS } from "../../http/input/parameter.ts";
import { Type } from "../../lib/json-schema.ts";

/** The parts of a path, by name. */
const KNOWN: Readonly<Record<string, TSchema>> = {
  id: Type.String({
    description: "The ID, or the Guid of what has one",
  }),
  guid: Type.String({ description: "The Guid" }),
  aspect_id: Type.String({ description: "The ID of an aspect" }),
  positive: Type.String({
    enum: SWITCH_WORDS,
    description: "false for a dislike",
  }),
};

export function namesInPath(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = ""]) => name);
}

/** By the path of a route. */
const schemas = new Map<string, TObject>();

/** The parts of a path such as `/posts/:id`, as the document shows them. */
export function schemaOfPath(path: string): TObject {
  const known = schemas.get(path) ?? makeSchema(path);
  schemas.set(path, known);
  return known;
}

function makeSchema(path: string): TObject {
  const parts = namesInPath(path).map((name) => [
    name,
    KNOWN[name] ??
      Type.String({ description: `The ${name.replaceAll("_", " ")}` }),
  ]);
  return Type.Object(Object.fromEntries(parts) as Record<string, TSchema>);
}

/**
 * Checks the parts that were sent in the place of those of `path`. One that is empty is absent.
 * @throws {KithError} `bad_request`
 */
export function readPath(
  path: string,
  params: unknown,
): (name: string) => string {
  const parts = params as Readonly<Record<string, string>>;
  const given = Object.entries(parts).filter(([, part]) => part !== "");
  readInput(schemaOfPath(path), Object.fromEntries(given));
  return (name) => parts[name] ?? "";
}
