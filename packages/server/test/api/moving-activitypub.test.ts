import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../support/server/kith-server.ts";
import {
  befriend,
  membersOf,
  settleAll,
  useServers,
} from "../support/remote/several-servers.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Actor = { alsoKnownAs?: string[]; movedTo?: string };
type Aliases = { Aliases: string[] };

forEachDatabase((kind) => {
  const servers = useServers(kind, "activitypub", 3);

  const actorOf = (kith: KithServer, { username }: TestPerson) =>
    `${kith.baseUrl}/api/v1/ap/person/${username}`;

  const readActor = async (uri: string): Promise<Actor> => {
    const headers = { accept: "application/activity+json" };
    const response = await fetch(uri, { headers });
    assert.equal(response.status, 200);
    return (await response.json()) as Actor;
  };

  const setAliases = async (by: TestPerson, aliases: string) =>
    (await by.put<Aliases>("/users/self/aliases", { aliases })).Aliases;

  test("Kith to Kith: the followers follow the new one, and nothing new is written at the old one", async () => {
    const [old, next, far] = servers() as [KithServer, KithServer, KithServer];
    const alice = await old.person({ handle: "alice" });
    const anew = await next.person({ handle: "anew" });
    const dave = await old.person({ handle: "dave" });
    const carol = await far.person({ handle: "carol" });
    const aspect = await befriend(carol, alice.handle);
    const local = await befriend(dave, alice.handle);
    await settleAll(servers());
    const post = await alice.post<PostRecord>("/posts", { post: "stays" });
    await settleAll(servers());

    const move = { handle: anew.handle, password: PASSWORD };
    await befriend(alice, anew.handle, "me");
    await settleAll(servers());
    await alice.badRequest("POST", "/users/self/move/away", { form: move });
    const uri = actorOf(old, alice);
    assert.deepEqual(await setAliases(anew, alice.handle), [uri]);
    assert.deepEqual((await readActor(actorOf(next, anew))).alsoKnownAs, [uri]);
    await alice.post("/users/self/move/away", move);
    await settleAll(servers());

    assert.deepEqual(await membersOf(carol, far, aspect), [anew.handle]);
    assert.deepEqual(await membersOf(dave, old, local), [anew.handle]);
    const path = `/posts/${post.Guid}`;
    const [stored] = (await carol.get<PostRecord[]>("/posts")).filter(
      ({ Text }) => Text === "stays",
    );
    assert.equal(stored?.Person.Author, alice.handle, "what was written stays");
    assert.equal(
      (await alice.get<PostRecord>(path)).Person.Author,
      alice.handle,
    );
    const { movedTo } = await readActor(uri);
    assert.equal(movedTo, actorOf(next, anew));
    const followers = async (kith: KithServer, who: TestPerson) => {
      const answer = await fetch(`${actorOf(kith, who)}/followers`);
      return ((await answer.json()) as { totalItems: number }).totalItems;
    };
    assert.equal(await followers(next, anew), 3, "alice herself, too");
    assert.equal(await followers(old, alice), 0);

    await alice.badRequest("POST", "/posts", { form: { post: "again" } });
    await alice.badRequest("POST", `${path}/comments`, {
      form: { comment: "again" },
    });
    await alice.badRequest("POST", `${path}/likes`);
    await alice.badRequest("POST", `${path}/reshare`);
    const news = await anew.post<PostRecord>("/posts", { post: "news" });
    await settleAll(servers());
    for (const reader of [carol, dave]) {
      const texts = await reader.get<PostRecord[]>("/posts");
      assert.ok(texts.some(({ Text }) => Text === news.Text));
    }
  });

  test("aliases are existing people, and are public", async () => {
    const [old, next] = servers() as [KithServer, KithServer];
    const who = await next.person();
    const other = await old.person();
    const uri = actorOf(old, other);
    assert.deepEqual(await who.get("/users/self/aliases"), { Aliases: [] });
    assert.deepEqual(await setAliases(who, `${uri}, ${other.handle}`), [uri]);
    for (const aliases of [
      "nobody",
      `nobody@${old.host}`,
      `${old.baseUrl}/nobody`,
      who.handle,
      "javascript:alert(1)",
    ])
      await who.badRequest("PUT", "/users/self/aliases", { form: { aliases } });
    await who.badRequest("PUT", "/users/self/aliases", { form: {} });
    assert.deepEqual(await setAliases(who, ""), []);
  });
});
