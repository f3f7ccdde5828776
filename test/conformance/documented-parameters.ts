import type {
  DocumentedOperation,
  JsonSchema,
} from "../../packages/server/src/http/api-document.ts";

/** The parameters of an operation in the query or in the body. */
export type TakenParameter = {
  readonly name: string;
  readonly schema: JsonSchema;
};

type BodySchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly {
    readonly anyOf: readonly { readonly required: readonly string[] }[];
  }[];
};

function bodyOf({ requestBody }: DocumentedOperation): BodySchema {
  return requestBody?.content["multipart/form-data"]?.schema ?? {};
}

export function listTaken(operation: DocumentedOperation): TakenParameter[] {
  const { properties = {} } = bodyOf(operation);
  return [
    ...operation.parameters
      .filter((it) => it.in === "query")
      .map(({ name, schema, description }) => ({
        name,
        schema: { description, ...schema },
      })),
    ...Object.entries(properties).map(([name, schema]) => ({ name, schema })),
  ];
}

/** Required parameters: one of each of the lists. */
export function listNeeded(operation: DocumentedOperation): string[][] {
  const { required = [], allOf = [] } = bodyOf(operation);
  const inQuery = operation.parameters.filter(
    (it) => it.in === "query" && it.required,
  );
  return [
    ...[...inQuery.map(({ name }) => name), ...required].map((it) => [it]),
    ...allOf.map(({ anyOf }) => anyOf.flatMap((it) => it.required)),
  ];
}

/** The example value in the document. */
export function exampleOf(
  operation: DocumentedOperation,
): Readonly<Record<string, unknown>> {
  const { example = {} } =
    operation.requestBody?.content["multipart/form-data"] ?? {};
  return example as Readonly<Record<string, unknown>>;
}
