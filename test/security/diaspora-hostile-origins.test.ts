import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import type { PersonId } from "../../packages/server/src/features/ids.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  DiasporaPod,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  submitAndApply,
  objectOf,
} from "../../packages/server/test/support/remote/linked-data.ts";
import {
  podComment,
  podPost,
} from "../../packages/server/test/support/remote/pod-entities.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";

const SEED = "http://joindiaspora.com/seed_location";

type Jrd = { readonly links: { rel: string; type?: string; href?: string }[] };

/** A pod whose WebFinger claims that its people are on another server. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ann: TestPerson;
  let evil: DiasporaPod;
  let victim: RemoteServer;
  let mallory: PodPerson;
  let vic: RemoteActor;

  before(async () => {
    evil = await DiasporaPod.start();
    victim = await RemoteServer.start();
    ann = await kith().person({ handle: "ann" });
    vic = victim.actor("vic");
    await submitAndApply(kith(), ann, { type: "Follow", object: vic.id });
    mallory = evil.person("mallory");
    serveJrd(mallory, ({ links }) => {
      for (const link of links)
        if (link.rel === SEED) link.href = `${victim.origin}/`;
    });
    const { discovery } = kith().server;
    const found = await discovery.byHandle(mallory.handle);
    assert.equal(found?.addresses.seedLocation, `${victim.origin}/`);
  });
  after(() => Promise.all([evil.close(), victim.close()]));

  /** Lets the pod serve any document about a person. */
  function serveJrd(person: PodPerson, change: (jrd: Jrd) => void): void {
    const jrd = JSON.parse(person.webfinger()) as Jrd;
    change(jrd);
    const text = JSON.stringify(jrd);
    evil.put("/.well-known/webfinger", text, "application/jrd+json");
  }

  const features = () => kith().server.features;
  const create = (object: JsonObject) =>
    vic.deliver(kith(), vic.activity("Create", { object, to: [PUBLIC] }));

  /** The handle of an object's author. */
  async function authorOf(thing: { readonly personId: PersonId } | undefined) {
    assert.ok(thing);
    return (await features().people.find({ id: thing.personId }))?.handle;
  }

  test("a post under an id of that server displaces none from there", async () => {
    const note = { ...vic.note(), id: vic.newId("notes") };
    const forged = podPost(mallory, { activitypubId: note.id });
    await mallory.deliver(kith(), forged);
    const { posts } = features();
    const taken = await posts.find({ guid: forged.guid });
    assert.equal(await authorOf(taken), mallory.handle);
    assert.equal(taken?.uri, null);
    const shown = await ann.get<PostRecord>(`/posts/${forged.guid}`);
    assert.equal(shown.Url, `${kith().baseUrl}/posts/${forged.guid}`);
    await create(note);
    const real = await posts.find({ uri: note.id });
    assert.equal(await authorOf(real), vic.handle);
  });

  test("nor does a comment", async () => {
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "Well?" });
    const reply = {
      ...vic.note({ inReplyTo: objectOf(kith(), Guid) }),
      id: vic.newId("notes"),
    };
    const forged = await podComment(mallory, Guid, { activitypubId: reply.id });
    await mallory.deliver(kith(), forged);
    const { comments } = features();
    const taken = await comments.find({ guid: forged.guid });
    assert.equal(await authorOf(taken), mallory.handle);
    assert.equal(taken?.uri, null);
    await create(reply);
    const real = await comments.find({ uri: reply.id });
    assert.equal(await authorOf(real), vic.handle);
  });

  test("nor does one under an id of another tenant of the server with the author's actor", async () => {
    const tenant = evil.person("tenant");
    const actor = victim.actor("tenant");
    const type = "application/activity+json";
    serveJrd(tenant, ({ links }) => {
      links.push({ rel: "self", type, href: actor.id });
    });
    victim.answers.set("/.well-known/webfinger", (response) => {
      const links = [{ rel: "self", type, href: actor.id }];
      const jrd = { subject: `acct:${tenant.handle}`, links };
      response.setHeader("content-type", "application/jrd+json");
      response.end(JSON.stringify(jrd));
    });
    const found = await kith().server.discovery.byHandle(tenant.handle);
    victim.answers.clear();
    assert.equal(found?.addresses.actorUri, actor.id);
    const uriOf = async (note: JsonObject) => {
      const id = idOf(note);
      victim.documents.set(id, note);
      const post = podPost(tenant, { activitypubId: id });
      await tenant.deliver(kith(), post);
      const taken = await features().posts.find({ guid: post.guid });
      assert.equal(await authorOf(taken), tenant.handle);
      return taken?.uri;
    };
    const [own, others] = [actor.note(), vic.note()];
    assert.equal(await uriOf(others), null);
    assert.equal(await uriOf(own), own["id"]);
    await create(others);
    const real = await features().posts.find({ uri: idOf(others) });
    assert.equal(await authorOf(real), vic.handle);
  });

  test("nor does the name of an actor there that does not confirm the handle", async () => {
    const eve = evil.person("eve");
    serveJrd(eve, ({ links }) => {
      const type = "application/activity+json";
      links.push({ rel: "self", type, href: vic.id });
    });
    const found = await kith().server.discovery.byHandle(eve.handle);
    assert.equal(found?.handle, eve.handle);
    assert.equal(found.addresses.actorUri, null);
    const forged = podPost(eve, { activitypubId: vic.newId("notes") });
    await eve.deliver(kith(), forged);
    const taken = await features().posts.find({ guid: forged.guid });
    assert.equal(await authorOf(taken), eve.handle);
    assert.equal(taken?.uri, null);
  });

  test("an actor no longer confirmed by the handle's host, or by its own, is forgotten", async () => {
    const type = "application/activity+json";
    const name = (who: PodPerson, href: string) =>
      serveJrd(who, ({ links }) => links.push({ rel: "self", type, href }));
    const vouch = (handle: string, href: string) =>
      victim.answers.set("/.well-known/webfinger", (response) => {
        const links = [{ rel: "self", type, href }];
        response.setHeader("content-type", "application/jrd+json");
        response.end(JSON.stringify({ subject: `acct:${handle}`, links }));
      });
    const actorNow = async (who: PodPerson) => {
      kith().clock.advance(25 * 3_600_000);
      const found = await kith().server.discovery.byHandle(who.handle);
      return found?.addresses.actorUri;
    };
    for (const [serial, withdraw] of [
      (who: PodPerson) => serveJrd(who, () => {}),
      (_: PodPerson, href: string) => vouch(`other@${evil.host}`, href),
    ].entries()) {
      const who = evil.person(`leaver${serial}`);
      const { id } = victim.actor(who.name);
      name(who, id);
      vouch(who.handle, id);
      assert.equal(await actorNow(who), id);
      withdraw(who, id);
      assert.equal(await actorNow(who), null);
    }
    victim.answers.clear();
  });
});
