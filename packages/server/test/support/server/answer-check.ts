import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type {
  ApiDocument,
  DocumentedAnswer,
  DocumentedMethod,
  DocumentedOperation,
  JsonSchema,
} from "../../../src/http/api-document.ts";

/** An answer of the service API, and the relevant part of its call. */
type ObservedAnswer = {
  readonly method: string;
  /** Below `/api/v0`, without the query. */
  readonly path: string;
  /** Did the call ask for `fields`? */
  readonly selected: boolean;
  readonly status: number;
  readonly contentType: string;
  /** Absent where it cannot be looked at. */
  readonly body: string | undefined;
};

/** @returns the fault of the answer, if any */
export type AnswerCheck = (answer: ObservedAnswer) => string | undefined;

/** Requests refused by the framework before routing, and unknown paths. */
const WITHOUT_OPERATION: Readonly<Record<number, string>> = {
  400: "Bad request",
  404: "Not found",
  414: "URI too long",
  501: "Not implemented",
};

/** Checks answers against the document: status, content type and body. */
export function createAnswerCheck(document: ApiDocument): AnswerCheck {
  const validate = createValidator(document);
  const find = createFinder(document);
  return (answer) => {
    const operation = find(answer.method, answer.path);
    const complaint = operation
      ? checkOperation(document, validate, operation, answer)
      : checkUnserved(answer);
    if (complaint === undefined) return undefined;
    const { method, path, status, body = "" } = answer;
    const start = body.slice(0, 300);
    return `${method} /api/v0${path} answered ${status}, which is not as documented: ${complaint}: ${start}`;
  };
}

function checkUnserved(answer: ObservedAnswer): string | undefined {
  // Preflight requests of browsers are not calls.
  if (answer.method === "OPTIONS" && answer.status === 204) return undefined;
  const message = WITHOUT_OPERATION[answer.status];
  if (message === undefined)
    return "no operation is documented there. Declare the route with apiRoute, or name it in ROUTES_OF_THEIR_OWN of api/index.ts";
  if (answer.method === "HEAD") return undefined;
  return withoutDetail(answer.body ?? "") === JSON.stringify({ error: message })
    ? undefined
    : `the body is not the error object with “${message}”`;
}

function checkOperation(
  document: ApiDocument,
  validate: Validator,
  operation: DocumentedOperation,
  answer: ObservedAnswer,
): string | undefined {
  const documented = operation.responses[String(answer.status)];
  if (!documented)
    return `${operation.operationId} has no answer ${answer.status}. Where it can occur, add the status to errors of the route`;
  const { content } = resolve(document, documented);
  if (answer.method === "HEAD") return undefined;
  if (!content)
    return answer.body === "" ? undefined : "the answer should have no body";
  const type = answer.contentType.split(";", 1)[0] ?? "";
  const found = content[type];
  if (!found) return `the content type is ${answer.contentType}`;
  if (type !== "application/json" || answer.body === undefined)
    return undefined;
  return validate(schemaFor(found.schema, answer), answer.body);
}

/** Without `fields` an answer is a whole record: its selection would allow too much. */
function schemaFor(schema: JsonSchema, answer: ObservedAnswer): JsonSchema {
  const { anyOf } = schema as { anyOf?: readonly JsonSchema[] };
  const isChoice = anyOf?.length === 2 && anyOf[0] && anyOf[1];
  if (!isChoice || answer.status !== 200) return schema;
  return (answer.selected ? anyOf[1] : anyOf[0]) ?? schema;
}

function resolve(
  document: ApiDocument,
  answer: DocumentedOperation["responses"][string],
): DocumentedAnswer {
  if (!("$ref" in answer)) return answer;
  const name = answer.$ref.slice("#/components/responses/".length);
  const found = document.components.responses[name];
  if (!found) throw new Error(`${answer.$ref} is not in the document`);
  return found;
}

type Validator = (schema: JsonSchema, body: string) => string | undefined;

/** Of each document seen in this process: many servers have the same, and it takes long to compile. */
const validators = new Map<string, Validator>();

export function createValidator({ components }: ApiDocument): Validator {
  const text = JSON.stringify(components.schemas);
  const validator = validators.get(text) ?? compileValidator(text);
  validators.set(text, validator);
  return validator;
}

/** @param schemas as JSON */
function compileValidator(schemas: string): Validator {
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const known = new WeakMap<JsonSchema, ValidateFunction>();
  ajv.addSchema({
    $id: "records",
    $defs: JSON.parse(
      schemas.replaceAll("#/components/schemas/", "#/$defs/"),
    ) as JsonSchema,
  });
  const compile = (schema: JsonSchema): ValidateFunction => {
    const whole = JSON.stringify(schema);
    const found =
      compiled.get(whole) ??
      ajv.compile(
        JSON.parse(
          whole.replaceAll("#/components/schemas/", "records#/$defs/"),
        ) as JsonSchema,
      );
    compiled.set(whole, found);
    known.set(schema, found);
    return found;
  };
  return (schema, body) => {
    const check = known.get(schema) ?? compile(schema);
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return "the body is not JSON";
    }
    return check(value) ? undefined : ajv.errorsText(check.errors);
  };
}

type Finder = (method: string, path: string) => DocumentedOperation | undefined;

/** Finds the operation of a path; of two that fit, the one with more fixed parts. */
function createFinder({ paths }: ApiDocument): Finder {
  const templates = Object.entries(paths)
    .map(([template, operations]) => ({
      parts: template.split("/"),
      operations,
    }))
    .sort((a, b) => countVariables(a.parts) - countVariables(b.parts));
  return (method, path) => {
    const parts = path.replace(/\/$/, "").split("/");
    const key = method === "HEAD" ? "get" : method.toLowerCase();
    const found = templates.find(
      (it) =>
        it.operations[key as DocumentedMethod] !== undefined &&
        it.parts.length === parts.length &&
        it.parts.every((part, n) => isVariable(part) || part === parts[n]),
    );
    return found?.operations[key as DocumentedMethod];
  };
}

function isVariable(part: string): boolean {
  return part.startsWith("{");
}

function countVariables(parts: readonly string[]): number {
  return parts.filter(isVariable).length;
}

/** An error object with only its fixed text, or any other answer. */
export function withoutDetail(text: string): string {
  return text.replace(/,"detail":"(?:[^"\\]|\\.)+"\}$/, "}");
}
