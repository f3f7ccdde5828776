import { Type } from "../../lib/json-schema.ts";
import type {
  ApiDocument,
  DocumentedAnswer,
  DocumentedMethod,
  DocumentedOperation,
} from "../../http/api-document.ts";
import { EXPLAINED_STATUSES, messagesOf } from "../../http/error-response.ts";
import { describeOperation, type RouteKind } from "./openapi-operation.ts";
import { describeOauth, PASSWORD_SCHEMES } from "./openapi-security.ts";
import { tagsOf } from "./openapi-tags.ts";
import { describeRecords, plain } from "./openapi-records.ts";
import { NO_INPUT, type DescribedRoute } from "../kit/route.ts";
import { RECORDS } from "../schemas/schemas.ts";

/** The route of the document itself. */
export const DOCUMENT_ROUTE: DescribedRoute = {
  method: "GET",
  limit: "read",
  scope: null,
  name: "showApiDocument",
  path: "/openapi.json",
  summary: "Shows this document.",
  input: NO_INPUT,
  output: Type.Object({ openapi: Type.String() }),
};

export type DescribeApiInput = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Such as `v0`. */
  readonly version: string;
  readonly routes: readonly DescribedRoute[];
  /** Routes that take no `fields`, `offset` or `limit`. */
  readonly others: readonly (DescribedRoute & Pick<RouteKind, "access">)[];
};

/** Describes the service API as OpenAPI 3.1. */
export function describeApi(input: DescribeApiInput): ApiDocument {
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  const ordinary = { access: "token", isOrdinary: true } as const;
  const all = [
    ...input.others.map((route) => ({
      route,
      kind: { access: route.access, isOrdinary: false },
    })),
    ...input.routes.map((route) => ({ route, kind: ordinary })),
  ];
  for (const { route, kind } of all) {
    const operations = (paths[templateOf(route.path)] ??= {});
    const key = route.method.toLowerCase() as DocumentedMethod;
    operations[key] = describeOperation(route, kind);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kith service API",
      version: input.version,
      description: DESCRIPTION,
    },
    servers: [{ url: `${input.baseUrl}/api/${input.version}` }],
    tags: tagsOf(all.map(({ route }) => route.path)),
    security: Object.keys(PASSWORD_SCHEMES).map((name) => ({ [name]: [] })),
    paths,
    components: {
      schemas: describeRecords(RECORDS),
      responses: describeErrors(paths),
      securitySchemes: {
        ...PASSWORD_SCHEMES,
        ...describeOauth(
          input.baseUrl,
          all.map(({ route }) => route),
        ),
      },
    },
  };
}

const DESCRIPTION = `Parameters come in the query or in the body, also where they are described in one of them alone: a body is a form, a multipart form or a JSON object; the body wins. In a form a list is a repeated name; in JSON it may also be its only member. Names that are not known are ignored. A switch is one of true, false, 1, 0, on and off; an empty number or switch is an absent one.

Times are RFC 3339 in UTC with milliseconds. Lists hold 10 records, or as many as limit says, after the first offset ones. A list whose records have an ID is paged by it, too: before=ID gives the records beyond that one, towards the older ones, and after=ID those next to it on the newer side, in the order of the list. Such pages repeat no record and skip none that was there, whatever is written meanwhile; a post that arrives late takes its place by the time of its writing.

fields selects what a record shows, such as ID,Person(ID:Profile(ID:ImageUrl)): commas on the top level, colons inside parentheses. An answer then is the selection of its record, in which every field may be missing. A name that the record has not is ignored; the header Warning (299) names it.

An error object has the fixed text error, which programs may compare, and for what the caller sent the sentence detail, which says what was wrong with which parameter.

The token of an app opens the calls of its scopes (403 for others): read opens those of all read:…, write those of all write:…, follow those of contacts, blocks and ignores. No scope opens the password, the second factor, tokens, the export, imports, a move or the end of the account.

A record that one may not see answers like one that does not exist. A path or method that nothing serves answers 501 with the error object.`;

/** `/posts/:id` as `/posts/{id}`. */
function templateOf(path: string): string {
  return path.replaceAll(/:([A-Za-z_]+)/g, "{$1}");
}

const RETRY_AFTER = {
  "Retry-After": {
    description: "After how many seconds to try again",
    schema: { type: "integer", minimum: 0 },
  },
};

const CHALLENGE = {
  "WWW-Authenticate": {
    description:
      'Bearer, with error="invalid_token" where a token was given and refused',
    schema: { type: "string" },
  },
};

const LACKING = {
  "WWW-Authenticate": {
    description:
      'Bearer with error="insufficient_scope", and the needed scope, where the token of an app lacks it',
    schema: { type: "string" },
  },
};

/** The headers of an error, by its status. */
const HEADERS: Readonly<Record<number, object>> = {
  401: CHALLENGE,
  403: LACKING,
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const DETAIL = {
  type: "string",
  description:
    "What was wrong, in an English sentence that names the parameter. For people: it may change at any time",
};

const DETAIL_OF_EXAMPLE =
  "The parameter limit must be a whole number from 1 to 100.";

/** A response for each error status of an operation. */
function describeErrors(
  paths: Readonly<Record<string, Record<string, DocumentedOperation>>>,
): Record<string, DocumentedAnswer> {
  const statuses = new Set(
    Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ responses }) => Object.keys(responses))
      .map(Number)
      .filter((status) => status >= 400),
  );
  return Object.fromEntries(
    [...statuses].map((status) => [`Error${status}`, describeError(status)]),
  );
}

function describeError(status: number): DocumentedAnswer {
  const messages = messagesOf(status);
  if (messages.length === 0)
    throw new Error(`No error has the status ${status}: see error-response.ts`);
  const schema = {
    ...plain(Type.Ref("#/components/schemas/Error")),
    type: "object",
    properties: {
      error: { enum: messages },
      ...(EXPLAINED_STATUSES.has(status) ? { detail: DETAIL } : {}),
    },
  };
  return {
    description: messages.join(", or: "),
    ...(HEADERS[status] && { headers: { ...HEADERS[status] } }),
    content: {
      "application/json": {
        schema,
        example: {
          error: messages[0],
          ...(EXPLAINED_STATUSES.has(status) && { detail: DETAIL_OF_EXAMPLE }),
        },
      },
    },
  };
}
