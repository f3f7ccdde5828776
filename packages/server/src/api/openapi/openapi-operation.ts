import type { TSchema } from "typebox";
import type {
  DocumentedAnswer,
  DocumentedOperation,
  DocumentedParameter,
  JsonSchema,
  Reference,
} from "../../http/api-document.ts";
import {
  hasIds,
  isList,
  isSelectable,
  plain,
  selectionOf,
} from "./openapi-records.ts";
import { fileNameOf, namesOf } from "../../http/input/input.ts";
import { describeSecurity } from "./openapi-security.ts";
import { exampleOf } from "./openapi-examples.ts";
import { tagOf } from "./openapi-tags.ts";
import { namesInPath, schemaOfPath } from "../kit/path-parts.ts";
import { COMMON, type DescribedRoute } from "../kit/route.ts";

/** The access to a route, and its parser of parameters. */
export type RouteKind = {
  readonly access: "anyone" | "token";
  /** Does it take `fields`, `offset` and `limit`, as ordinary routes do? */
  readonly isOrdinary: boolean;
};

/** A body may have any of these types, with the same names. */
const MULTIPART = "multipart/form-data";
const JSON_BODY = "application/json";
const BODY_TYPES = ["application/x-www-form-urlencoded", MULTIPART, JSON_BODY];

/** A parameter that refers to a record may cause a 404. */
const NAMES_SOMETHING = /(ID|_id|guid|handle|username)$/i;

export function describeOperation(
  route: DescribedRoute,
  kind: RouteKind,
): DocumentedOperation {
  const { method, path, name, summary } = route;
  const own = route.input.properties as Record<string, TSchema>;
  const hasBody = method !== "GET" && Object.keys(own).length > 0;
  return {
    operationId: name,
    summary,
    ...describeMore(route),
    tags: [tagOf(path)],
    ...describeSecurity(route, kind.access),
    parameters: [
      ...Object.entries(schemaOfPath(path).properties).map(pathParameter),
      ...(hasBody ? [] : Object.keys(own)).map((it) =>
        queryParameter(it, own[it], needsOf(route).includes(it)),
      ),
      ...Object.entries(commonOf(route, kind)).map(([it, schema]) =>
        queryParameter(it, schema, false),
      ),
    ],
    ...(hasBody ? { requestBody: describeBody(route) } : {}),
    responses: describeAnswers(route, kind),
  };
}

/** The common parameters of a route; all of them may be in the query. */
function commonOf(
  { output }: DescribedRoute,
  { isOrdinary }: RouteKind,
): Record<string, TSchema> {
  const { fields, offset, limit, before, after } = COMMON.properties;
  const isListed = isOrdinary && isList(output);
  return {
    ...(isOrdinary && isSelectable(output) ? { fields } : {}),
    ...(isListed ? { offset, limit } : {}),
    ...(isListed && hasIds(output) ? { before, after } : {}),
  };
}

/** The required parameters. */
function needsOf({ needs = [] }: DescribedRoute): string[] {
  return needs
    .map(namesOf)
    .flatMap((names) => (names.length === 1 ? names : []));
}

function describeMore({ description, forRole, scope }: DescribedRoute) {
  const parts = [
    ...(scope === "undelegated" ? [FOR_NO_APP] : []),
    ...(forRole === undefined ? [] : [FOR_ROLE[forRole]]),
    ...(description === undefined ? [] : [description]),
  ];
  return parts.length === 0 ? {} : { description: parts.join(" ") };
}

function pathParameter([name, part]: [string, TSchema]): DocumentedParameter {
  const { description, ...schema } = plain(part);
  return {
    name,
    in: "path",
    required: true,
    description: String(description),
    schema,
    example: exampleOf(schema, name),
  };
}

function queryParameter(
  name: string,
  input: TSchema | undefined,
  required: boolean,
): DocumentedParameter {
  const { description = "", ...schema } = plain(input ?? {});
  return {
    name,
    in: "query",
    required,
    description: String(description),
    schema,
    example: exampleOf(schema, name),
  };
}

/** Files come in multipart forms only; other body types omit them. */
function describeBody(route: DescribedRoute) {
  const file = fileNameOf(route.input);
  const mustHaveFile = file !== undefined && needsOf(route).includes(file);
  const types = mustHaveFile ? [MULTIPART] : BODY_TYPES;
  return {
    required: (route.needs ?? []).length > 0,
    content: Object.fromEntries(
      types.map((type) => [
        type,
        describeBodyOf(route, type, type === MULTIPART ? undefined : file),
      ]),
    ),
  };
}

function describeBodyOf(
  route: DescribedRoute,
  type: string,
  without: string | undefined,
) {
  const describe = type === JSON_BODY ? describeInJson : plain;
  const properties = Object.fromEntries(
    Object.entries(route.input.properties as Record<string, TSchema>)
      .filter(([name]) => name !== without)
      .map(([name, input]) => [name, describe(input)]),
  );
  const required = needsOf(route);
  const choices = (route.needs ?? [])
    .map(namesOf)
    .filter((names) => names.length > 1)
    .map((names) => ({ anyOf: names.map((name) => ({ required: [name] })) }));
  const schema = {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    ...(choices.length > 0 && { allOf: choices }),
  };
  return { schema, example: exampleOfBody(route, properties) };
}

/** In JSON, a list may be its only member: a parameter that became a list later stays compatible. */
function describeInJson(input: TSchema): JsonSchema {
  const { description, ...schema } = plain(input);
  const { type, items } = schema;
  if (type !== "array") return { ...schema, description };
  return { anyOf: [items, schema], description };
}

/** The required parameters, or all optional ones if none is required. */
function exampleOfBody(
  { needs = [], example }: DescribedRoute,
  properties: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, unknown>> {
  if (example) return example;
  const names =
    needs.length > 0
      ? needs.map((need) => namesOf(need)[0] ?? "")
      : Object.keys(properties);
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(properties[name] ?? {}, name)]),
  );
}

const FOR_NO_APP =
  "Open to no app: it needs a token that was given for the password.";

const FOR_ROLE = {
  moderator: "For moderators and admins alone.",
  admin: "For admins alone.",
};

type Errors = Record<string, Reference>;

function describeAnswers(
  route: DescribedRoute,
  kind: RouteKind,
): Record<string, DocumentedAnswer | Reference> {
  const { output, contentType = JSON_BODY } = route;
  const schema =
    kind.isOrdinary && isSelectable(output)
      ? { anyOf: [plain(output), selectionOf(output)] }
      : plain(output);
  const isJson = contentType === JSON_BODY;
  const content = isJson
    ? { schema, example: exampleOf(plain(output)) }
    : { schema };
  const ok = { description: "Done", content: { [contentType]: content } };
  const errors = errorStatuses(route, kind).map((status) => [
    String(status),
    { $ref: `#/components/responses/Error${status}` },
  ]);
  return { "200": ok, ...(Object.fromEntries(errors) as Errors) };
}

/**
 * Errors that can follow from the input of a route, and those that it declares.
 */
function errorStatuses(
  { method, path, input, errors = [] }: DescribedRoute,
  { access }: RouteKind,
): number[] {
  const names = Object.keys(input.properties);
  const hasParts = namesInPath(path).length > 0;
  // An app may lack the scope, and a network may be banned.
  const statuses = new Set([400, 403, 429, 500, 503, ...errors]);
  if (access === "token") statuses.add(401);
  if (hasParts) statuses.add(414);
  if (hasParts || names.some((name) => NAMES_SOMETHING.test(name)))
    statuses.add(404);
  if (method !== "GET") for (const status of [413, 415]) statuses.add(status);
  return [...statuses].sort((a, b) => a - b);
}
