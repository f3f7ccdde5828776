import type {
  ApiDocument,
  DocumentedAnswer,
  DocumentedOperation,
  JsonSchema,
  Reference,
} from "../../http/api-document.ts";
import { schemaView } from "./api-schema-view.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { pageTexts } from "../languages/texts.ts";

const texts = pageTexts.apiDocs;

type Entry = {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
};

/** Renders the OpenAPI document for people. */
export function apiDocsView(document: ApiDocument): Html {
  const { info, servers, tags, components } = document;
  const url = servers[0]?.url ?? "";
  const entries = listEntries(document);
  return html`<h1>${texts.title}</h1>
    ${info.description.split("\n\n").map((it) => html`<p>${it}</p>`)}
    <p>
      ${texts.base} <code>${url}</code>. ${texts.token}
      <a href="${url}/openapi.json">${texts.machines}</a>
    </p>
    ${contents(tags, entries)}
    ${tags.map(({ name }) => section(document, name, entries))}
    <h2 id="records">${texts.records}</h2>
    ${Object.entries(components.schemas).map(recordView)}`;
}

function listEntries({ paths }: ApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

function entriesOf(tag: string, entries: readonly Entry[]): Entry[] {
  return entries.filter(({ operation }) => operation.tags.includes(tag));
}

function contents(
  tags: ApiDocument["tags"],
  entries: readonly Entry[],
): HtmlValue {
  const link = ({ method, path, operation }: Entry) =>
    html`<li>
      <a href="#${operation.operationId}"><code>${method} ${path}</code></a>
      ${operation.summary}
    </li>`;
  return html`<nav aria-label="${texts.contents}">
    <ul class="operations">
      ${tags.flatMap(({ name }) => entriesOf(name, entries).map(link))}
      <li><a href="#records">${texts.records}</a></li>
    </ul>
  </nav>`;
}

function section(
  document: ApiDocument,
  tag: string,
  entries: readonly Entry[],
): Html {
  return html`<h2 id="tag-${tag.toLowerCase().replaceAll(" ", "-")}">${tag}</h2>
    ${entriesOf(tag, entries).map((entry) => operationView(document, entry))}`;
}

function operationView(
  document: ApiDocument,
  { method, path, operation }: Entry,
): Html {
  const { operationId, summary, description, security } = operation;
  const answers = Object.entries(operation.responses);
  return html`<section class="operation" id="${operationId}">
    <h3>
      <a href="#${operationId}"><code>${method} ${path}</code></a>
    </h3>
    <p>
      ${summary} ${security?.length === 0 && texts.noToken}
      ${description?.replaceAll("`", "")}
    </p>
    ${parametersView(operation)}
    <h4>${texts.answers}</h4>
    <dl>${answers.map(([status, it]) => answerView(document, status, it))}</dl>
  </section>`;
}

/** Parameters of the path, of the query and of the body. */
function listParameters({ parameters, requestBody }: DocumentedOperation) {
  const { schema = {} } = requestBody?.content["multipart/form-data"] ?? {};
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<
      Record<string, JsonSchema & { readonly description?: string }>
    >;
    required?: readonly string[];
  };
  const inBody = Object.entries(properties).map(([name, it]) => ({
    name,
    in: "body",
    required: required.includes(name),
    description: it.description ?? "",
    schema: it,
  }));
  return [...parameters, ...inBody];
}

function parametersView(operation: DocumentedOperation): HtmlValue {
  const parameters = listParameters(operation);
  if (parameters.length === 0) return undefined;
  return html`<h4>${texts.parameters}</h4>
    <dl>
      ${parameters.map(
        ({ name, in: place, required, description, schema }) =>
          html`<dt>
              <code>${name}</code> ${schemaView(schema)}
              ${place === "path" ? texts.inPath : required && texts.required}
            </dt>
            <dd>${description}</dd>`,
      )}
    </dl>`;
}

function answerView(
  document: ApiDocument,
  status: string,
  answer: DocumentedAnswer | Reference,
): Html {
  if ("$ref" in answer) {
    const name = answer.$ref.slice("#/components/responses/".length);
    const error = document.components.responses[name];
    return html`<dt><code>${status}</code></dt>
      <dd>${error?.description}</dd>`;
  }
  const [content] = Object.entries(answer.content ?? {});
  return html`<dt><code>${status}</code></dt>
    <dd>
      ${content && schemaView(wholeOf(content[1].schema))}
      ${content && content[0] !== "application/json" && html`(${content[0]})`}
    </dd>`;
}

/**
 * Of a record and its selection the record: selections are explained once,
 * above.
 */
function wholeOf(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema as { anyOf?: readonly JsonSchema[] };
  return anyOf?.[0] ?? schema;
}

function recordView([name, schema]: [string, JsonSchema]): HtmlValue {
  if (name.endsWith("Selection")) return undefined;
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return html`<section class="operation" id="record-${name}">
    <h3><a href="#record-${name}">${name}</a></h3>
    <dl>
      ${Object.entries(properties).map(
        ([field, it]) =>
          html`<dt><code>${field}</code></dt>
            <dd>
              ${schemaView(it)} ${!required.includes(field) && texts.mayMiss}
            </dd>`,
      )}
    </dl>
  </section>`;
}
