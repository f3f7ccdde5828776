/** A JSON schema in the dialect of OpenAPI 3.1 (2020-12). */
export type JsonSchema = { readonly [keyword: string]: unknown };

export type DocumentedParameter = {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
};

type Content = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
>;

export type DocumentedAnswer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  /** By content type. Absent: the response has no body. */
  readonly content?: Content;
};

export type Reference = { readonly $ref: string };

export type DocumentedOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Empty: no token is needed. Absent: the document's default. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly DocumentedParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Content;
  };
  /** By status. */
  readonly responses: Readonly<Record<string, DocumentedAnswer | Reference>>;
};

export type DocumentedMethod = "get" | "post" | "put" | "delete";

/** The part of an OpenAPI 3.1 document that the service API uses. */
export type ApiDocument = {
  readonly openapi: "3.1.0";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
  }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Partial<Record<DocumentedMethod, DocumentedOperation>>>
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, DocumentedAnswer>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
};
