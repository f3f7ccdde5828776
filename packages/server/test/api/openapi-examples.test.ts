import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ApiDocument,
  DocumentedOperation,
} from "../../src/http/api-document.ts";
import { createValidator } from "../support/server/answer-check.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const load = async (): Promise<ApiDocument> => {
    const response = await fetch(`${kith().baseUrl}/api/v0/openapi.json`);
    return (await response.json()) as ApiDocument;
  };

  test("operations have readable names, and a sentence of description", async () => {
    const document = await load();
    const operations = listOperations(document);
    for (const { operationId, summary } of operations) {
      assert.match(operationId, /^[a-z]+(?:[A-Z][a-z]+)*$/);
      assert.doesNotMatch(operationId, /^(?:get|post|put)[A-Z]/);
      assert.match(summary, /^[A-Z][^]*\.$/, operationId);
    }
    const names = operations.map(({ operationId }) => operationId);
    for (const name of ["createPost", "listComments", "createToken"])
      assert.ok(names.includes(name), name);
    const tags = document.tags.map(({ name }) => name);
    assert.deepEqual(tags, [...new Set(tags)].toSorted());
    for (const { description } of document.tags)
      assert.match(description, /\.$/);
  });

  test("every example is one of its own schema, and each operation has its examples", async () => {
    const document = await load();
    const validate = createValidator(document);
    const check = (
      what: string,
      { schema, example }: { schema: object; example?: unknown },
    ) => {
      assert.notEqual(example, undefined, `${what} has no example`);
      const complaint = validate({ ...schema }, JSON.stringify(example));
      assert.equal(complaint, undefined, `${what}: ${JSON.stringify(example)}`);
    };
    for (const operation of listOperations(document)) {
      const { operationId, parameters, requestBody, responses } = operation;
      for (const it of parameters) check(`${it.name} of ${operationId}`, it);
      for (const [type, it] of Object.entries(requestBody?.content ?? {}))
        check(`${operationId} as ${type}`, it);
      const answer = responses["200"];
      assert.ok(answer && !("$ref" in answer), operationId);
      const json = answer.content?.["application/json"];
      // Of a file or a stream only its type is described.
      if (json) check(`the answer of ${operationId}`, json);
      else assert.ok(["exportAccount", "watchChanges"].includes(operationId));
    }
    for (const [name, { content }] of Object.entries(
      document.components.responses,
    ))
      for (const it of Object.values(content ?? {})) check(name, it);
  });

  test("a missing required parameter is refused, and named", async () => {
    const document = await load();
    const admin = await kith().person({ handle: "ann", role: "admin" });
    let count = 0;
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations)) {
        const names = requiredOf(operation);
        if (names.length === 0) continue;
        count += 1;
        const call = path.replaceAll(/\{\w+\}/g, String(admin.record.ID));
        const sent = method === "get" ? {} : { form: {} };
        const answer = await admin.call(method.toUpperCase(), call, sent);
        const body = JSON.parse(answer.text) as Record<string, string>;
        const [name = ""] = names;
        assert.equal(answer.status, 400, `${operation.operationId} ${name}`);
        assert.match(body["detail"] ?? "", new RegExp(`\\b${name}\\b`));
        assert.match(body["detail"] ?? "", /must be given/);
      }
    assert.ok(count > 20, String(count));
    const { requestBody } = document.paths["/posts"]?.post ?? {};
    assert.equal(requestBody?.required, true);
    const other = document.paths["/profile"]?.put?.requestBody;
    assert.equal(other?.required, false);
  });
});

function listOperations({ paths }: ApiDocument): DocumentedOperation[] {
  return Object.values(paths).flatMap((it) => Object.values(it));
}

/** Of the query and of the body: each that must be given, and one of those of which any must. */
function requiredOf({
  parameters,
  requestBody,
}: DocumentedOperation): readonly string[] {
  const { schema = {} } = requestBody?.content["multipart/form-data"] ?? {};
  const { required = [], allOf = [] } = schema as {
    required?: readonly string[];
    allOf?: readonly { anyOf: readonly { required: readonly string[] }[] }[];
  };
  const inQuery = parameters.filter((it) => it.in === "query" && it.required);
  return [
    ...inQuery.map(({ name }) => name),
    ...required,
    ...allOf.flatMap(({ anyOf }) => anyOf[0]?.required ?? []),
  ];
}
