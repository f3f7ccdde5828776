import assert from "node:assert/strict";
import { assertError } from "../../packages/server/test/support/api-client.ts";
import { PASSWORD } from "../../packages/server/test/support/kith-server.ts";
import {
  needsToken,
  NOWHERE,
  type Rec,
  type Rows,
  type Stage,
} from "./stage.ts";

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

const listsAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, friends } = stage;
  await needsToken(stage, "GET", "/aspects");
  const aspect = await stage.aspect(ann);
  const list = await ann.get<Rec[]>("/aspects");
  assert.equal(list[0]?.ID, aspect.ID);
  const theirs = await bob.get<Rec[]>("/aspects");
  assert.ok(!theirs.some(({ ID }) => ID === friends.ID));
  const named = await ann.get<Rec[]>("/aspects", { fields: "Name" });
  assert.deepEqual(named[0], { Name: aspect.Name });
};

const createsAspects = async (stage: Stage): Promise<void> => {
  const { ann } = stage;
  await needsToken(stage, "POST", "/aspects");
  for (const form of [{ name: "kin" }, { aspect_name: "kin" }]) {
    const aspect = await ann.post<Rec>("/aspects", form);
    assert.equal(aspect.Name, "kin");
    assert.equal(aspect["UserID"], ann.record.UserID);
    assert.deepEqual(aspect["Memberships"], []);
  }
  await ann.blank("POST", "/aspects");
  await ann.blank("POST", "/aspects", { form: { name: " " } });
  await stage.failsToSave("aspects", ann, "POST", "/aspects", { name: "x" });
};

const showsHoldingAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, friends } = stage;
  const path = `/people/${bob.record.ID}/aspects`;
  await needsToken(stage, "GET", path);
  const list = await ann.get<Rec[]>(path);
  assert.ok(list.some(({ ID }) => ID === friends.ID));
  const stranger = await stage.kith.person();
  await ann.notFound("GET", `/people/${stranger.record.ID}/aspects`);
  await stage.cam.notFound("GET", path);
};

const addsToAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const aspect = await stage.aspect(ann);
  const path = `/people/${cam.record.ID}/aspects/${aspect.ID}`;
  await needsToken(stage, "POST", path);
  const membership = await ann.post<Rec>(path);
  assert.equal(membership["AspectID"], aspect.ID);
  assert.equal(membership.PersonID, cam.record.ID);
  const again = await ann.post<Rec>(path);
  assert.deepEqual(again, membership, "already a member: the same");
  await bob.notFound("POST", path);
  await ann.notFound("POST", `/people/999999/aspects/${aspect.ID}`);
  await ann.notFound("POST", `/people/${cam.record.ID}/aspects/999999`);
  const other = await stage.aspect(ann);
  const unsaved = `/people/${cam.record.ID}/aspects/${other.ID}`;
  await stage.failsToSave("aspect_memberships", ann, "POST", unsaved);
};

const removesFromAspects = async (stage: Stage): Promise<void> => {
  const { ann, bob, cam } = stage;
  const aspect = await stage.aspect(ann);
  const path = `/people/${cam.record.ID}/aspects/${aspect.ID}`;
  const membership = await ann.post<Rec>(path);
  await needsToken(stage, "DELETE", path);
  await bob.notFound("DELETE", path);
  await stage.failsToSave("aspect_memberships", ann, "DELETE", path);
  const removed = await ann.call("DELETE", path);
  assert.equal(removed.status, 200);
  const record = JSON.parse(removed.text) as Rec;
  assert.equal(record.ID, membership.ID);
  await ann.notFound("DELETE", path);
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
  "service-api/Operations whose path is not shown/List aspects": listsAspects,
  "service-api/Operations whose path is not shown/Create aspect":
    createsAspects,
  "service-api/Operations whose path is not shown/Show person in aspects":
    showsHoldingAspects,
  "service-api/Operations whose path is not shown/Add person to aspect":
    addsToAspects,
  "service-api/Aspect membership removal/DELETE /api/v0/people/:id/aspects/:aspect_id":
    removesFromAspects,
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
  [resolved("GET /aspects")]: listsAspects,
  [resolved("POST /aspects")]: createsAspects,
  [resolved("PUT, DELETE /aspects/:id")]: async (stage) => {
    const { ann, bob } = stage;
    const { ID } = await stage.aspect(ann);
    const path = `/aspects/${ID}`;
    for (const method of ["PUT", "DELETE"]) {
      await needsToken(stage, method, path);
      await bob.notFound(method, path, { form: { name: "mine" } });
    }
    await ann.blank("PUT", path, { form: { name: "" } });
    assert.equal((await ann.put<Rec>(path, { name: "new" })).Name, "new");
    await ann.delete(path);
    await ann.notFound("DELETE", path);
  },
  [resolved("GET /people/:id/aspects")]: showsHoldingAspects,
  [resolved("POST /people/:id/aspects/:aspect_id")]: addsToAspects,
  [resolved("DELETE /people/:id/aspects/:aspect_id")]: removesFromAspects,
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
