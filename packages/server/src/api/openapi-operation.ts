import type { TSchema } from "typebox";
import type {
  DocumentedAnswer,
  DocumentedOperation,
  DocumentedParameter,
  JsonSchema,
  Reference,
} from "../http/api-document.ts";
import { isList, isSelectable, plain, selectionOf } from "./openapi-records.ts";
import { COMMON, type DescribedRoute } from "./route.ts";

/** How a route is reached, and what reads its parameters. */
export type RouteKind = {
  readonly access: "anyone" | "token";
  /** Does it take `fields`, `offset` and `limit` as all ordinary routes do? */
  readonly isOrdinary: boolean;
};

/** Bodies come in any of these, with the same names. */
const BODY_TYPES = [
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/json",
];

const BOOLEAN = ["true", "false", "1", "0", "on", "off"];

/** What stands in a path, by name. */
const PATH_PARTS: Readonly<Record<string, JsonSchema>> = {
  id: { type: "string", description: "The ID, or the Guid of what has one" },
  guid: { type: "string", description: "The Guid" },
  aspect_id: { type: "string", description: "The ID of an aspect" },
  positive: {
    type: "string",
    enum: BOOLEAN,
    description: "false for a dislike",
  },
};

/** Where a parameter names something, it may name what is not there. */
const NAMES_SOMETHING = /(ID|_id|guid|handle|username)$/i;

export function describeOperation(
  route: DescribedRoute,
  method: string,
  kind: RouteKind,
): DocumentedOperation {
  const inputs = inputsOf(route, kind);
  const hasBody = method !== "GET" && method !== "DELETE";
  return {
    operationId: operationId(method, route.path),
    summary: route.summary,
    ...describeMore(route),
    tags: [tagOf(route.path)],
    ...(kind.access === "anyone" ? { security: [] } : {}),
    parameters: [
      ...pathParts(route.path).map(pathParameter),
      ...Object.entries(inputs).map(queryParameter),
    ],
    ...(hasBody && Object.keys(inputs).length > 0
      ? { requestBody: describeBody(inputs) }
      : {}),
    responses: describeAnswers(route, method, kind),
  };
}

function inputsOf(
  { input, output }: DescribedRoute,
  { isOrdinary }: RouteKind,
): Record<string, TSchema> {
  const { fields, offset, limit } = COMMON.properties;
  return {
    ...(input.properties as Record<string, TSchema>),
    ...(isOrdinary && isSelectable(output) ? { fields } : {}),
    ...(isOrdinary && isList(output) ? { offset, limit } : {}),
  };
}

/** Such as `postPostsIdLikes`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map(capitalize).join("");
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export function tagOf(path: string): string {
  return capitalize(path.split(/[/.]/)[1] ?? "");
}

export function pathParts(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = ""]) => name);
}

function describeMore({ description, needs = [], forRole }: DescribedRoute) {
  const names = needs.map((name) => `\`${name}\``).join(", ");
  const parts = [
    ...(forRole === undefined ? [] : [FOR_ROLE[forRole]]),
    ...(description === undefined ? [] : [description]),
    ...(names === "" ? [] : [`Must be given and must not be blank: ${names}.`]),
  ];
  return parts.length === 0 ? {} : { description: parts.join(" ") };
}

function pathParameter(name: string): DocumentedParameter {
  const { description = `The ${name.replaceAll("_", " ")}`, ...schema } =
    PATH_PARTS[name] ?? { type: "string" };
  return {
    name,
    in: "path",
    required: true,
    description: String(description),
    schema,
  };
}

function queryParameter([name, input]: [string, TSchema]): DocumentedParameter {
  const { description = "", ...schema } = plain(input);
  return {
    name,
    in: "query",
    required: false,
    description: String(description),
    schema,
  };
}

function describeBody(inputs: Readonly<Record<string, TSchema>>) {
  const properties = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, plain(input)]),
  );
  const schema = { type: "object", properties };
  return {
    required: false,
    content: Object.fromEntries(BODY_TYPES.map((type) => [type, { schema }])),
  };
}

const FOR_ROLE = {
  moderator: "For moderators and admins alone.",
  admin: "For admins alone.",
};

type Errors = Record<string, Reference>;

function describeAnswers(
  route: DescribedRoute,
  method: string,
  kind: RouteKind,
): Record<string, DocumentedAnswer | Reference> {
  const { output, contentType = "application/json" } = route;
  const schema =
    kind.isOrdinary && isSelectable(output)
      ? { anyOf: [plain(output), selectionOf(output)] }
      : plain(output);
  const ok = { description: "Done", content: { [contentType]: { schema } } };
  const errors = errorStatuses(route, method, kind).map((status) => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return { "200": ok, ...(Object.fromEntries(errors) as Errors) };
}

/** Which errors can follow from what a route takes, and those that it names itself. */
function errorStatuses(
  { path, input, errors = [], forRole }: DescribedRoute,
  method: string,
  { access }: RouteKind,
): number[] {
  const names = Object.keys(input.properties);
  const hasParts = pathParts(path).length > 0;
  const statuses = new Set([400, 429, 500, 503, ...errors]);
  if (access === "token") statuses.add(401);
  if (forRole !== undefined) statuses.add(403);
  if (hasParts) statuses.add(414);
  if (hasParts || names.some((name) => NAMES_SOMETHING.test(name)))
    statuses.add(404);
  if (method !== "GET") for (const status of [413, 415]) statuses.add(status);
  return [...statuses].sort((a, b) => a - b);
}
