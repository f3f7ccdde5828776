import assert from "node:assert/strict";
import { assertError } from "../../packages/server/test/support/server/api-client.ts";
import type { Rec, RowTest, Stage } from "./stage.ts";

export const TYPE =
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

type Got = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
};

/** Calls below the root of the server, outside of the documented API. */
export async function ask(
  { kith }: Stage,
  method: string,
  path: string,
  options: { token?: string; body?: string; type?: string } = {},
): Promise<Got> {
  const { token, body, type = "application/activity+json" } = options;
  const response = await fetch(kith.baseUrl + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { access_token: token }),
      ...(body === undefined ? {} : { "content-type": type }),
    },
    body: body ?? null,
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const json = isJson ? (JSON.parse(text) as Got["json"]) : {};
  return { status: response.status, text, headers: response.headers, json };
}

export const refuses = async (
  stage: Stage,
  method: string,
  path: string,
  [status, message]: readonly [number, string],
  options: { token?: string; body?: string; type?: string } = {},
): Promise<void> =>
  assertError(
    await ask(stage, method, path, options),
    status,
    message,
    `${method} ${path}`,
  );

export const UNSERVED = [501, "Not implemented"] as const;
export const ACTIVITY = JSON.stringify({
  type: "Create",
  actor: "https://x.example/a",
});

/** Accepts only signed activities. */
export const inbox =
  (path: string): RowTest =>
  async (stage) => {
    const { actor } = await stage.meet("sender");
    const activity = actor.activity("Like", { object: "https://x.example/1" });
    const url = stage.kith.baseUrl + path;
    assert.equal(await actor.send(url, activity), 202);
    assert.equal(await actor.send(url, activity), 202, "the same once more");
    const unsigned = [401, "Unauthorized"] as const;
    const body = JSON.stringify({ ...activity, actor: actor.uri });
    await refuses(stage, "POST", path, unsigned, { body });
    await refuses(stage, "POST", path, [400, "Bad request"], { body: "{}" });
    const type = "text/plain";
    const wrongType = [415, "Unsupported media type"] as const;
    await refuses(stage, "POST", path, wrongType, { body: ACTIVITY, type });
  };

export const collection =
  (path: string): RowTest =>
  async (stage) => {
    await stage.follower("collector");
    const whole = await ask(stage, "GET", path);
    assert.equal(whole.status, 200);
    assert.equal(whole.json["type"], "OrderedCollection");
    assert.match(String(whole.json["first"]), /\?page=1$/);
    const page = await ask(stage, "GET", `${path}?page=1`);
    assert.equal(page.json["type"], "OrderedCollectionPage");
    const bad = await ask(stage, "GET", `${path}?page=x`);
    assertError(bad, 400, "Bad request", path);
  };

export const actorDocument =
  (path: string): RowTest =>
  async (stage) => {
    const { status, json } = await ask(stage, "GET", path);
    assert.equal(status, 200);
    assert.equal(json["id"], stage.actorUri("ann"));
    assert.equal(json["preferredUsername"], "ann");
    const unknown = path.replace("ann", "nobody");
    await refuses(stage, "GET", unknown, [404, "Not found"]);
  };

export const outbox =
  (path: string): RowTest =>
  async (stage) => {
    const { ann, bob } = stage;
    await collection(path)(stage, "");
    const open = await stage.post(ann);
    const limited = await stage.privatePost();
    const page = async (token?: string) =>
      (await ask(stage, "GET", `${path}?page=1`, token ? { token } : {})).text;
    const anonymous = await page();
    assert.ok(anonymous.includes(open.Guid));
    assert.ok(!anonymous.includes(limited.Guid));
    const own = await page(ann.token);
    assert.ok(own.includes(open.Guid) && own.includes(limited.Guid));
    const { token } = bob;
    const notOwner = [403, "User does not own the outbox"] as const;
    await refuses(stage, "GET", path, notOwner, { token });
  };

/** The outbox processes only its owner's activities. */
export const postsToOutbox =
  (path: string): RowTest =>
  async (stage) => {
    const { ann, bob } = stage;
    const content = `by the outbox ${Math.random()}`;
    const note = { type: "Note", content, to: [] as string[] };
    const to = ["https://www.w3.org/ns/activitystreams#Public"];
    const object = { ...note, to };
    const body = JSON.stringify({ type: "Create", object, to });
    const denied = [401, "Unauthorized"] as const;
    await refuses(stage, "POST", path, denied, { body });
    const notOwner = [403, "User does not own the outbox"] as const;
    await refuses(stage, "POST", path, notOwner, { body, token: bob.token });
    const made = await ask(stage, "POST", path, { body, token: ann.token });
    assert.equal(made.status, 201);
    assert.match(made.headers.get("location") ?? "", /^http/);
    const [first] = await ann.get<Rec[]>("/posts");
    assert.match(first?.Text ?? "", new RegExp(content));
    const odd = JSON.stringify({
      type: "Listen",
      object: "https://x.example/",
    });
    await refuses(stage, "POST", path, UNSERVED, {
      body: odd,
      token: ann.token,
    });
  };

export const readsInbox =
  (path: string): RowTest =>
  async (stage) => {
    const { ann, bob } = stage;
    await refuses(stage, "GET", path, [401, "Unauthorized"]);
    const theirs = await ask(stage, "GET", path, { token: bob.token });
    assert.equal(theirs.status, 403);
    const own = await ask(stage, "GET", path, { token: ann.token });
    assert.equal(own.status, 200);
    assert.equal(own.json["type"], "OrderedCollection");
  };

export const both =
  (...tests: readonly RowTest[]): RowTest =>
  async (stage, text) => {
    for (const run of tests) await run(stage, text);
  };
