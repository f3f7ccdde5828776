import assert from "node:assert/strict";
import { assertError } from "../../../packages/server/test/support/server/api-client.ts";
import { PASSWORD } from "../../../packages/server/test/support/server/kith-server.ts";
import {
  needsToken,
  NOWHERE,
  type Rec,
  type Rows,
  type Stage,
} from "../stage.ts";

const GRANT = {
  grant_type: "password",
  username: "ann",
  password: PASSWORD,
  client_id: "conformance",
};

const grantsTokens = async ({ kith }: Stage): Promise<void> => {
  const { anonymous } = kith;
  const first = await anonymous.post<Rec>("/oauth/tokens", GRANT);
  assert.match(String(first["token"]), /^[0-9a-f]{64}$/);
  assert.deepEqual(await anonymous.post("/oauth/tokens", GRANT), first);
  const path = "/oauth/tokens";
  const refuse = (more: object, status: number, message: string) =>
    anonymous.refused(
      "POST",
      path,
      { form: { ...GRANT, ...more } },
      status,
      message,
    );
  await refuse({ username: "nobody" }, 404, "User not found");
  await refuse({ password: "wrong horse" }, 401, "Unauthorized");
  await refuse({ grant_type: "implicit" }, 400, "Bad request");
  for (const name of ["username", "password", "client_id"])
    await refuse({ [name]: " " }, 400, "The string is empty");
};

const deletesTokens = async (stage: Stage): Promise<void> => {
  const { kith, ann, bob } = stage;
  const { ID, token } = await kith.token("ann", `one-off-${Math.random()}`);
  const path = `/oauth/tokens/${ID}`;
  await needsToken(stage, "DELETE", path);
  await bob.notFound("DELETE", path);
  await ann.delete(path);
  await kith.anonymous.with(token).unauthorized("GET", "/posts");
  await ann.notFound("DELETE", path);
};

const searches = async (stage: Stage): Promise<void> => {
  const { ann, bob } = stage;
  await needsToken(stage, "POST", "/search");
  const found = await ann.post<Rec>("/search", { handle: bob.handle });
  assert.equal(found.Guid, bob.record.Guid);
  const nobody = { form: { handle: `nobody@${stage.kith.host}` } };
  await ann.notFound("POST", "/search", nobody);
  await ann.blank("POST", "/search", { form: { handle: "" } });
  const { person, actor } = await stage.meet("far");
  assert.equal(person["Author"], actor.handle);
  assert.equal(person["UserID"], null);
};

const changesProfile = async (stage: Stage): Promise<void> => {
  await needsToken(stage, "PUT", "/profile");
  const actor = await stage.follower("reader", stage.cam);
  const profile = await stage.cam.put<Rec>("/profile", {
    FirstName: "Cam",
    LastName: "Era",
    Bio: "I *see*",
    Birthday: "1990-02-28",
    Gender: "any",
    Location: "Here",
    Searchable: true,
    Nsfw: false,
  });
  assert.equal(profile["FullName"], "Cam Era");
  assert.equal(profile["Birthday"], "1990-02-28");
  assert.equal(profile.PersonID, stage.cam.record.ID);
  await stage.cam.badRequest("PUT", "/profile", { form: { Birthday: "1990" } });
  await stage.kith.settle();
  assert.ok(actor.got("Update").length > 0, "federated to contacts");
};

const showsStream = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const open = await stage.post(ann);
  const limited = await stage.privatePost();
  for (const who of [ann.record.Guid, ann.record.ID]) {
    const path = `/people/${who}/stream`;
    await needsToken(stage, "GET", path);
    const seen = await bob.get<Rec[]>(path);
    assert.deepEqual(guids(seen).slice(0, 2), [limited.Guid, open.Guid]);
    const strangers = guids(await cam.get<Rec[]>(path));
    assert.ok(strangers.includes(open.Guid));
    assert.ok(!strangers.includes(limited.Guid));
    const rest = await bob.get<Rec[]>(path, { offset: 1, fields: "Guid" });
    assert.deepEqual(rest[0], { Guid: open.Guid });
    const [shaped] = await bob.get<Rec[]>(path, { format: "diaspora" });
    assert.deepEqual(Object.keys(shaped ?? {}).sort(), [
      "author",
      "created_at",
      "guid",
      "post_type",
      "provider_display_name",
      "public",
      "text",
    ]);
  }
  await bob.notFound("GET", `/people/${NOWHERE}/stream`);
};

export function guids(list: readonly Rec[]): string[] {
  return list.map(({ Guid }) => Guid);
}

const resolved = (path: string) =>
  `service-api-resolved/Endpoints, complete/${path}`;

export const peopleRows: Rows = {
  "service-api/Tokens/POST /api/v0/oauth/tokens": grantsTokens,
  "service-api/Tokens/DELETE /api/v0/oauth/tokens/:id": async (stage) => {
    await deletesTokens(stage);
    const { ID } = await stage.kith.token("bob", `kept-${Math.random()}`);
    const path = `/oauth/tokens/${ID}`;
    await stage.failsToSave("access_tokens", stage.bob, "DELETE", path);
    await stage.bob.delete(path);
  },
  "service-api/Search/POST /api/v0/search": searches,
  [resolved("POST /oauth/tokens")]: async (stage) => {
    await grantsTokens(stage);
    const { kith } = stage;
    const { token } = await kith.token("cam", "rarely used");
    kith.clock.advance(401 * 24 * 3_600_000);
    try {
      await kith.anonymous.with(token).unauthorized("GET", "/posts");
    } finally {
      kith.clock.advance(-401 * 24 * 3_600_000);
    }
  },
  [resolved("GET /oauth/tokens")]: async (stage) => {
    await needsToken(stage, "GET", "/oauth/tokens");
    const { text } = await stage.ann.call("GET", "/oauth/tokens");
    const [first] = JSON.parse(text) as Rec[];
    assert.deepEqual(Object.keys(first ?? {}).sort(), [
      "ClientID",
      "CreatedAt",
      "ID",
      "LastUsedAt",
    ]);
    assert.ok(!text.includes(stage.ann.token));
  },
  [resolved("DELETE /oauth/tokens/:id")]: deletesTokens,
  [resolved("POST /search")]: searches,
  [resolved("GET /people/:id")]: async (stage) => {
    const { ann, bob } = stage;
    for (const who of [bob.record.ID, bob.record.Guid]) {
      await needsToken(stage, "GET", `/people/${who}`);
      const person = await ann.get<Rec>(`/people/${who}`);
      assert.equal(person["Author"], bob.handle);
      const fields = { fields: "ID,Profile(PersonID)" };
      assert.deepEqual(await ann.get(`/people/${who}`, fields), {
        ID: bob.record.ID,
        Profile: { PersonID: bob.record.ID },
      });
    }
    await ann.notFound("GET", `/people/${NOWHERE}`);
  },
  [resolved("GET /people/:id/profile")]: async (stage) => {
    const { ann, bob } = stage;
    for (const who of [bob.record.ID, bob.record.Guid]) {
      const path = `/people/${who}/profile`;
      await needsToken(stage, "GET", path);
      const profile = await ann.get<Rec>(path);
      assert.equal(profile.PersonID, bob.record.ID);
      const author = await ann.get(path, { fields: "Author" });
      assert.deepEqual(author, { Author: bob.handle });
    }
    await ann.notFound("GET", `/people/${NOWHERE}/profile`);
  },
  [resolved("PUT /profile")]: changesProfile,
  [resolved("GET /people/:guid/stream")]: showsStream,
  "service-api/Authentication/rule 3": async (stage) => {
    const calls: [string, string][] = [
      ["POST", "/posts/1/comments"],
      ["POST", "/posts/1/likes"],
      ["GET", "/posts"],
      ["GET", "/people/1"],
      ["PUT", "/profile"],
      ["GET", "/aspects"],
      ["GET", "/notifications"],
      ["GET", "/oauth/tokens"],
      ["POST", "/search"],
    ];
    for (const [method, path] of calls) {
      await needsToken(stage, method, path);
      const form = { post: "x", comment: "x", handle: "x" };
      const query = { access_token: "0".repeat(64) };
      const answer = await stage.kith.anonymous.call(method, path, {
        query,
        ...(method === "GET" ? {} : { form }),
      });
      assertError(answer, 401, "Unauthorized", path);
    }
  },
};
