import type { InjectOptions } from "fastify";
import type {
  ApiDocument,
  DocumentedOperation,
  JsonSchema,
} from "../../../packages/server/src/http/api-document.ts";
import type { TestPerson } from "../../../packages/server/test/support/server/kith-server.ts";
import type { Random } from "../../support/random.ts";
import {
  pathValue,
  validValue,
  WRONG_COMMON,
  WRONG_PARTS,
  WRONG_VALUES,
} from "./fuzz-values.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import { listNeeded, listTaken } from "../documented-parameters.ts";
import { encode, FORM, type Draft } from "./fuzz-encode.ts";

export type FuzzOperation = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly operation: DocumentedOperation;
};

export type FuzzCall = {
  readonly target: FuzzOperation;
  readonly user: TestPerson;
  /** Whether the call is valid. */
  readonly isMeantWell: boolean;
  readonly request: InjectOptions;
};

export function listOperations({ paths }: ApiDocument): FuzzOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase() as FuzzOperation["method"],
      path,
      operation,
    })),
  );
}

/** Creates one call of an operation, valid or with one mutation. */
export function makeCall(
  target: FuzzOperation,
  world: FuzzWorld,
  random: Random,
): FuzzCall {
  const { path, owner } =
    fillLinked(target, world, random) ?? fillPath(target, world, random);
  const user = chooseUser(target, owner, world, random);
  const draft: Draft = {
    method: target.method,
    path,
    parameters: chooseParameters(target.operation, world, random),
    headers: { access_token: user.token },
  };
  const isMeantWell = random.isLikely(0.6);
  if (!isMeantWell) random.pick(SPOILERS)(draft, target, random);
  return { target, user, isMeantWell, request: encode(draft, random) };
}

function chooseUser(
  { path }: FuzzOperation,
  owner: TestPerson | undefined,
  world: FuzzWorld,
  random: Random,
): TestPerson {
  if (path.startsWith("/admin/") && random.isLikely(0.9)) return world.admin;
  return owner && random.isLikely(0.7) ? owner : random.pick(world.users);
}

/** Paths with related parts: the record that relates them, and the fields for the parts. */
const LINKED: Readonly<Record<string, { of: string; parts: string[] }>> = {
  "/people/{id}/aspects": { of: "Membership", parts: ["PersonID"] },
  "/people/{id}/aspects/{aspect_id}": {
    of: "Membership",
    parts: ["PersonID", "AspectID"],
  },
  "/calendar/{id}/shares/{share}": {
    of: "CalendarShare",
    parts: ["CalendarID", "ID"],
  },
  "/calendar/events/{id}/participations/{guest}": {
    of: "Guest",
    parts: ["CalendarEventID", "ID"],
  },
};

function fillLinked(
  { path }: FuzzOperation,
  world: FuzzWorld,
  random: Random,
): { path: string; owner: TestPerson | undefined } | undefined {
  const linked = LINKED[path];
  const link = linked && world.find(linked.of, random);
  if (!link || random.isLikely(0.4)) return undefined;
  const values = linked.parts.map((field) => String(link[field]));
  const holder =
    (linked.of === "Guest" ? link : undefined) ??
    world.findById("Aspect", Number(link["AspectID"])) ??
    world.findById("Calendar", Number(link["CalendarID"]));
  return {
    path: path.replaceAll(/\{\w+\}/g, () => values.shift() ?? ""),
    owner: holder && world.ownerOf(holder),
  };
}

/** The path of an operation with existing objects, and their owner. */
export function fillPath(
  { path, operation }: FuzzOperation,
  world: FuzzWorld,
  random: Random,
): { path: string; owner: TestPerson | undefined } {
  const segments = path.split("/");
  let owner: TestPerson | undefined;
  const filled = segments.map((segment, index) => {
    const part = /^\{(.+)\}$/.exec(segment)?.[1];
    if (part === undefined) return segment;
    const schema = schemaOf(operation, part);
    const before = segments[index - 1] ?? "";
    const after = segments[index + 1] ?? "";
    const { value, record } = pathValue(
      part,
      before,
      after,
      schema,
      world,
      random,
    );
    owner = (record && world.ownerOf(record)) ?? owner;
    return encodeURIComponent(value);
  });
  return { path: filled.join("/"), owner };
}

function schemaOf(
  { parameters }: DocumentedOperation,
  name: string,
): JsonSchema {
  return parameters.find((it) => it.name === name)?.schema ?? {};
}

/** Valid for one pair of accounts only: if it were omitted as often as others, a move would hardly ever succeed. */
const SELDOM_RIGHT = "signature";

function chooseParameters(
  operation: DocumentedOperation,
  world: FuzzWorld,
  random: Random,
): Record<string, unknown> {
  // Any of several alternatives.
  const needed = listNeeded(operation).map((names) => random.pick(names));
  const chosen = listTaken(operation).filter(
    ({ name }) =>
      needed.includes(name) || name === SELDOM_RIGHT || random.isLikely(0.4),
  );
  return Object.fromEntries(
    chosen.map(({ name, schema }) => [
      name,
      validValue(name, schema, world, random),
    ]),
  );
}

type Spoiler = (draft: Draft, target: FuzzOperation, random: Random) => void;

const SPOILERS: readonly Spoiler[] = [
  (draft, { operation }, random) => {
    const names = listTaken(operation).map(({ name }) => name);
    const name = names.length > 0 ? random.pick(names) : "fields";
    draft.parameters[name] = random.pick(WRONG_VALUES);
  },
  (draft, _target, random) => {
    const [name, value] = random.pick(WRONG_COMMON);
    draft.parameters[name] = value;
  },
  (draft, { path }, random) => {
    const wrong = () => random.pick(WRONG_PARTS);
    draft.path = path.replaceAll(/\{\w+\}/g, wrong);
  },
  (draft) => {
    draft.parameters = {};
  },
  (draft, _target, random) => {
    const token = random.pick(["", "x", "0".repeat(64)]);
    draft.headers = token === "" ? {} : { access_token: token };
  },
  (draft, _target, random) => {
    const methods = ["PATCH", "PUT", "DELETE", "OPTIONS", "HEAD", "POST"];
    draft.method = random.pick(methods);
  },
  (draft, _target, random) => {
    draft.body = random.pick([
      { type: FORM, bytes: Buffer.from([0x61, 0x3d, 0xff, 0xfe]) },
      { type: FORM, bytes: Buffer.from("name=%zz&post=%") },
      { type: "application/json", bytes: Buffer.from('{"name":') },
      { type: "application/json", bytes: Buffer.from("[1]") },
      { type: "application/json", bytes: Buffer.alloc(1_100_000, 0x20) },
      { type: "multipart/form-data", bytes: Buffer.from("--x\r\n") },
      { type: "text/csv", bytes: Buffer.from("a,b") },
    ]);
  },
];
