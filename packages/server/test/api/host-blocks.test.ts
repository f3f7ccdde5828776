import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { PersonId } from "../../src/db/schema/ids.ts";
import type { Person } from "../../src/features/people/index.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { Peer } from "../support/remote/peer.ts";
import {
  activitiesTo,
  personAt,
  receiveActivity,
} from "../support/remote/remote-activity.ts";
import type {
  AspectRecord,
  CommentRecord,
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

type HostBlock = { readonly ID: number; readonly Host: string };

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let peer: Peer;
  before(async () => {
    peer = await Peer.start();
  });
  after(() => peer.close());

  const hostOf = ({ handle }: Person) => handle.slice(handle.indexOf("@") + 1);
  const pathOf = (host: string) => `/blocks/hosts/${encodeURIComponent(host)}`;
  const block = (who: TestPerson, host: string) =>
    who.post<HostBlock>("/blocks/hosts", { host });
  const actorOf = (who: TestPerson) =>
    `${kith().baseUrl}/api/v1/ap/person/${who.username}`;
  const contactOf = async (who: TestPerson, id: PersonId) => {
    const row = await kith()
      .db.read.selectFrom("contacts")
      .select(["following", "sharing"])
      .where("user_id", "=", who.record.UserID)
      .where("person_id", "=", id)
      .executeTakeFirst();
    return [Boolean(row?.following), Boolean(row?.sharing)];
  };
  let notes = 0;
  const write = async (by: Person, content: string, more: object = {}) => {
    notes += 1;
    const id = `${by.addresses.actorUri}/notes/${notes}`;
    const attributedTo = by.addresses.actorUri;
    const note = { id, type: "Note", attributedTo, content, to: [PUBLIC] };
    const object = { ...note, ...more };
    return receiveActivity(kith(), by, {
      ...{ type: "Create", to: object.to, object },
    });
  };
  const named = (who: TestPerson) =>
    `<a href="${actorOf(who)}" class="u-url mention">@${who.username}</a>`;
  const mention = (who: TestPerson) => ({
    cc: [actorOf(who)],
    tag: [
      { type: "Hashtag", name: "#evil" },
      { type: "Mention", href: actorOf(who), name: `@${who.username}` },
    ],
  });

  test("hosts are blocked, listed newest first and unblocked by their owner alone", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const first = await block(ann, "Loud.EXAMPLE");
    assert.equal(first.Host, "loud.example");
    const second = await block(ann, "other.example:8080");
    assert.equal(second.Host, "other.example:8080");
    assert.deepEqual(await ann.get("/blocks/hosts"), [second, first]);
    assert.deepEqual(await ann.get("/blocks/hosts", { before: second.ID }), [
      first,
    ]);
    assert.deepEqual(await bob.get("/blocks/hosts"), []);
    const unchanged = await kith().snapshot();
    assert.deepEqual(await block(ann, "loud.example"), first);
    await bob.notFound("DELETE", pathOf("loud.example"));
    await ann.notFound("DELETE", pathOf("quiet.example"));
    await ann.notFound("DELETE", pathOf("no host"));
    const own = ann.handle.slice(ann.handle.indexOf("@") + 1);
    for (const host of [own, own.toUpperCase(), "no host", "a/b", "@", "x@y"])
      await ann.badRequest("POST", "/blocks/hosts", { form: { host } });
    assert.deepEqual(await kith().snapshot(), unchanged);
    await ann.delete(pathOf("loud.example"));
    assert.deepEqual(await ann.get("/blocks/hosts"), [second]);
  });

  test("requests to follow from a blocked server end, and new ones are refused", async () => {
    const ann = await kith().person();
    await ann.put("/profile", { Locked: true });
    const asking = async () =>
      (await ann.get<PersonRecord[]>("/follow_requests")).length;
    const [ida, ivo] = [
      await personAt(kith(), peer, "host_ida"),
      await personAt(kith(), peer, "host_ivo"),
    ];
    const follow = (by: Person) =>
      receiveActivity(kith(), by, { type: "Follow", object: actorOf(ann) });
    await follow(ida);
    await kith().settle();
    assert.equal(await asking(), 1);
    await block(ann, hostOf(ida));
    await kith().settle();
    assert.equal(await asking(), 0);
    for (const one of [ida, ivo]) await follow(one);
    await kith().settle();
    assert.equal(await asking(), 0);
    assert.deepEqual(await ann.get("/notifications"), []);
    await ann.delete(pathOf(hostOf(ida)));
    await kith().settle();
    await follow(ivo);
    await kith().settle();
    assert.equal(await asking(), 1);
  });

  test("nothing of a blocked server reaches the user, and everybody else sees it", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const eve = await personAt(kith(), peer, "host_eve");
    const ofAnn = await ann.post<PostRecord>("/posts", {
      ...{ post: "mine", aspectID: 0 },
    });
    const ofBob = await bob.post<PostRecord>("/posts", {
      ...{ post: "ours", aspectID: 0 },
    });
    const objectOf = ({ Guid }: PostRecord) =>
      `${kith().baseUrl}/api/v1/ap/object/${Guid}`;
    await write(eve, `${named(ann)} earlier #evil`, mention(ann));
    await write(eve, "reply", { inReplyTo: objectOf(ofBob) });
    await kith().settle();
    const notifications = (who: TestPerson) =>
      who.get<NotificationRecord[]>("/notifications");
    assert.equal((await notifications(ann)).length, 1);
    const seen = async (who: TestPerson) => {
      const by = ({ PersonID }: { PersonID: PersonId }) => PersonID === eve.id;
      const posts = await who.get<PostRecord[]>("/posts", { limit: 100 });
      const tagged = await who.get<PostRecord[]>("/tags/evil/posts");
      const at = `/posts/${ofBob.ID}`;
      const { Comments, CommentsCount } = await who.get<PostRecord>(at);
      const comments = await who.get<CommentRecord[]>(`${at}/comments`);
      return {
        posts: posts.filter(by).length,
        tagged: tagged.filter(by).length,
        comments: comments.length,
        excerpt: Comments.length,
        count: CommentsCount,
      };
    };
    const none = { posts: 0, tagged: 0, comments: 0, excerpt: 0, count: 0 };
    const one = { posts: 1, tagged: 1, comments: 1, excerpt: 1, count: 1 };
    assert.deepEqual(await seen(ann), one);
    await block(ann, hostOf(eve));
    assert.deepEqual(await seen(ann), none);
    assert.deepEqual(await notifications(ann), []);
    assert.deepEqual(await seen(bob), one);
    // Also somebody there who becomes known only now.
    const mal = await personAt(kith(), peer, "host_mal");
    for (const who of [eve, mal]) {
      await write(who, `${named(ann)} later`, mention(ann));
      await write(who, "on it", { inReplyTo: objectOf(ofAnn) });
      await write(who, `${named(ann)} to you`, {
        ...mention(ann),
        to: [actorOf(ann)],
      });
      for (const type of ["Like", "Announce"])
        await receiveActivity(kith(), who, {
          ...{ type, object: objectOf(ofAnn), to: [PUBLIC] },
        });
      await receiveActivity(kith(), who, {
        ...{ type: "Follow", object: actorOf(ann) },
      });
      assert.deepEqual(await contactOf(ann, who.id), [false, false]);
    }
    await kith().settle();
    assert.deepEqual(await notifications(ann), []);
    assert.deepEqual(await ann.get("/conversations"), []);
    assert.deepEqual(await seen(ann), none);
    const own = await ann.get<PostRecord>(`/posts/${ofAnn.ID}`);
    assert.deepEqual(
      [own.CommentsCount, own.LikesCount, own.ResharesCount],
      [0, 0, 0],
    );
    // Somebody elsewhere is none of them.
    await ann.delete(pathOf(hostOf(eve)));
    assert.equal((await seen(ann)).comments, 1);
  });

  test("contacts there end on both sides with messages, and are unblocked with the server", async () => {
    const ann = await kith().person();
    const ida = await personAt(kith(), peer, "host_ida");
    const jon = await personAt(kith(), peer, "host_jon");
    const aspect = await ann.post<AspectRecord>("/aspects", { name: "all" });
    for (const { id } of [ida, jon])
      await ann.post(`/people/${id}/aspects/${aspect.ID}`);
    await receiveActivity(kith(), ida, {
      ...{ type: "Follow", object: actorOf(ann) },
    });
    await kith().settle();
    assert.deepEqual(await contactOf(ann, ida.id), [true, true]);
    const typesTo = (who: Person) =>
      activitiesTo(peer, who).map(({ type }) => type);
    await block(ann, hostOf(ida));
    // Before any job has run, nothing for some people alone goes there.
    await ann.post("/posts", { post: "secret", aspectID: aspect.ID });
    await ann.badRequest("POST", `/people/${jon.id}/aspects/${aspect.ID}`);
    await kith().settle();
    assert.ok(!peer.received.some(({ body }) => body.includes("secret")));
    for (const who of [ida, jon]) {
      assert.deepEqual(await contactOf(ann, who.id), [false, false]);
      assert.equal(typesTo(who).at(-1), "Block");
    }
    assert.deepEqual(await ann.get("/blocks"), []);
    // Blocked by himself, too, he stays so.
    const blocked = await ann.post<PersonRecord>(`/people/${jon.id}/block`);
    await ann.notFound("DELETE", `/people/${ida.id}/block`);
    await ann.delete(pathOf(hostOf(ida)));
    await kith().settle();
    assert.equal(typesTo(ida).at(-1), "Undo");
    assert.equal(typesTo(jon).at(-1), "Block");
    assert.deepEqual(await ann.get("/blocks"), [blocked]);
    await ann.post(`/people/${ida.id}/aspects/${aspect.ID}`);
    assert.deepEqual(await contactOf(ann, ida.id), [true, false]);
  });

  test("an upgrade and new people have their hosts at once", async () => {
    const eve = await personAt(kith(), peer, "host_new");
    const row = await kith()
      .db.read.selectFrom("people")
      .select("host")
      .where("id", "=", eve.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.host, hostOf(eve));
  });

  test("there is a bound, which calls at once do not exceed", async () => {
    const ann = await kith().person();
    const now = kith().clock.now().toISOString();
    await kith().db.transaction(async (tx) => {
      for (let count = 0; count < 499; count++)
        await tx
          .insertInto("host_blocks")
          .values({
            person_id: ann.record.ID,
            host: `no${count}.example`,
            created_at: now,
          })
          .execute();
    });
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) =>
        ann.call("POST", "/blocks/hosts", {
          form: { host: `${name}.example` },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 400, 400]);
  });
});
