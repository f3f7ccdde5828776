import type { InjectOptions } from "fastify";
import type { JsonSchema } from "../../packages/server/src/http/api-document.ts";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import { exampleOf, listNeeded, listTaken } from "./documented-parameters.ts";
import { fillPath, type FuzzOperation } from "./fuzz/fuzz-calls.ts";
import { encode } from "./fuzz/fuzz-encode.ts";
import type { Random } from "../support/random.ts";
import { validValue } from "./fuzz/fuzz-values.ts";
import type { FuzzWorld } from "./fuzz/fuzz-world.ts";

/** Placeholder for an image file. */
const PICTURE = Symbol("picture");

/** A call before it is encoded. */
export type ParameterCall = {
  readonly target: FuzzOperation;
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly user: TestPerson;
};

/** A valid call, according to the document. */
export function rightCall(
  target: FuzzOperation,
  world: FuzzWorld,
  random: Random,
): ParameterCall {
  const { path, owner } = fillPath(target, world, random);
  const isForAdmin = target.path.startsWith("/admin/");
  return {
    target,
    path,
    parameters: rightParameters(target, world, random),
    user: isForAdmin ? world.admin : (owner ?? random.pick(world.users)),
  };
}

/** The value of the example, for required parameters. */
function rightParameters(
  { operation }: FuzzOperation,
  world: FuzzWorld,
  random: Random,
): Record<string, unknown> {
  const example = exampleOf(operation);
  const isNeeded = listNeeded(operation).length > 0;
  const given = listTaken(operation).filter(({ name }) => name in example);
  return Object.fromEntries(
    (isNeeded ? given : []).map(({ name, schema }) => [
      name,
      rightValue(name, schema, example[name], world, random),
    ]),
  );
}

function rightValue(
  name: string,
  schema: JsonSchema,
  shown: unknown,
  world: FuzzWorld,
  random: Random,
): unknown {
  if (schema["format"] === "binary") return PICTURE;
  // The object with an id may belong to another person.
  return name.endsWith("ID") ? shown : validValue(name, schema, world, random);
}

/** The same call with other values under some names; undefined removes one. */
export function withValues(
  call: ParameterCall,
  values: Readonly<Record<string, unknown>>,
): ParameterCall {
  const parameters = Object.entries({ ...call.parameters, ...values });
  const given = parameters.filter(([, value]) => value !== undefined);
  return { ...call, parameters: Object.fromEntries(given) };
}

/** The same call with another value in one part of its path. */
export function withPart(
  call: ParameterCall,
  name: string,
  value: string,
): ParameterCall {
  const parts = call.path.split("/");
  const index = call.target.path.split("/").indexOf(`{${name}}`);
  const path = parts.with(index, value).join("/");
  return { ...call, path };
}

/** Files need a multipart form, in which everything is text. */
export function isTyped({ method, operation }: FuzzOperation): boolean {
  const needsFile = listNeeded(operation).flat().includes("image");
  return method !== "GET" && !needsFile;
}

/** In the query, or in a body of JSON, which has types. */
export function requestOf(call: ParameterCall, random: Random): InjectOptions {
  const { method } = call.target;
  const headers = { access_token: call.user.token };
  const { path, parameters } = call;
  if (Object.values(parameters).includes(PICTURE))
    return encode({ method, path, parameters, headers }, random);
  const url = `/api/v0${path}`;
  if (method !== "GET")
    return {
      method,
      url,
      headers: { ...headers, "content-type": "application/json" },
      payload: JSON.stringify(parameters),
    };
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => [value].flat().map((it) => [name, it] as const))
    .map(([name, value]) => `${name}=${inQuery(value)}`)
    .join("&");
  return { method, url: query === "" ? url : `${url}?${query}`, headers };
}

/** As encoded in a query, where half a character is an invalid byte sequence. */
function inQuery(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text
    .split("\ud800")
    .map((part) => encodeURIComponent(part))
    .join("%ED%A0%80");
}
