import assert from "node:assert/strict";
import { before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { createHostPolicies } from "../../packages/server/src/features/host-policies/index.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  guidOf,
  useHostServers,
} from "../../packages/server/test/support/remote/host-town.ts";
import type { TestPerson } from "../../packages/server/test/support/server/kith-server.ts";
import {
  actorOf,
  submitAndApply,
  objectOf,
  sendFollow,
} from "../../packages/server/test/support/remote/linked-data.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { seen } from "../../packages/server/test/support/remote/several-servers.ts";
import type {
  NotificationRecord,
  PersonRecord,
  PostRecord,
} from "../../packages/server/test/support/server/wire.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };
const GOOD = "good.localhost";

forEachDatabase((kind) => {
  const town = useHostServers(kind);
  const { kith, good, goodPod } = town;
  let ann: TestPerson;
  let bob: TestPerson;
  let names = 0;
  before(async () => {
    [ann, bob] = [await kith().person(), await kith().person()];
  });

  /** A person there followed by ann, but not by bob. */
  async function friendOfAnn(): Promise<RemoteActor> {
    names += 1;
    const gail = good().actor(`gail${names}`);
    await sendFollow(kith(), ann, gail);
    return gail;
  }

  const create = (by: RemoteActor, object: ReturnType<RemoteActor["note"]>) =>
    by.deliver(kith(), by.activity("Create", { ...FOR_ALL, object }));
  const texts = async (who: TestPerson, path = "/posts") =>
    (await who.get<PostRecord[]>(path, { limit: 100 })).map(({ Text }) => Text);

  test("silenced: public posts are visible to people who follow their author", async () => {
    const gail = await friendOfAnn();
    const tag = { type: "Hashtag", name: "#quiet", href: "https://x.example" };
    const content = "<p>hush #quiet</p>";
    const note = gail.note({ content, tag: [tag] });
    await create(gail, note);
    const path = `/posts/${await guidOf(kith(), note)}`;
    const anonymous = async () =>
      (await fetch(`${kith().baseUrl}/tags/quiet`)).text();
    assert.deepEqual(await texts(bob), ["hush #quiet"]);
    assert.match(await anonymous(), /hush/);
    await town.decide(GOOD, { silenced: true });
    assert.deepEqual(await texts(ann), ["hush #quiet"]);
    assert.deepEqual(await texts(ann, "/tags/quiet/posts"), ["hush #quiet"]);
    assert.deepEqual(await texts(bob), []);
    assert.deepEqual(await texts(bob, "/tags/quiet/posts"), []);
    assert.doesNotMatch(await anonymous(), /hush/);
    // A direct request for it, or for its author, shows it.
    assert.equal((await bob.get<PostRecord>(path)).Text, "hush #quiet");
    const person = await seen(bob, gail.handle);
    assert.deepEqual(await texts(bob, `/people/${person.ID}/stream`), [
      "hush #quiet",
    ]);
    await town.forgive(GOOD);
    assert.deepEqual(await texts(bob), ["hush #quiet"]);
  });

  test("silenced: unknown people there notify no one", async () => {
    const gail = await friendOfAnn();
    const handleOf = (one: NotificationRecord) => one.Person.Author;
    const notified = async (who: TestPerson) =>
      (await who.get<NotificationRecord[]>("/notifications"))
        .map(handleOf)
        .filter((handle) => handle === gail.handle).length;
    await town.decide(`social.${GOOD}`, { silenced: true });
    await town.decide(GOOD, { silenced: true });
    for (const who of [ann, bob]) {
      const { Guid } = await who.post<PostRecord>("/posts", { post: "hello" });
      const inReplyTo = objectOf(kith(), Guid);
      await create(gail, gail.note({ inReplyTo }));
      await gail.deliver(kith(), gail.activity("Like", { object: inReplyTo }));
      const object = actorOf(kith(), who.username);
      await gail.deliver(kith(), gail.activity("Follow", { object }));
      const comments = await who.get<unknown[]>(`/posts/${Guid}/comments`);
      assert.equal(comments.length, 1, "The comment is there all the same");
    }
    assert.equal(await notified(bob), 0);
    assert.equal(await notified(ann), 3);
    await town.forgive(GOOD);
    await town.forgive(`social.${GOOD}`);
  });

  test("reject-media: its images are not shown", async () => {
    const gail = await friendOfAnn();
    const picture = (host: string) => ({
      type: "Image",
      mediaType: "image/png",
      url: `http://${host}/a.png`,
    });
    const host = new URL(good().origin).host;
    const cat = { type: "Emoji", name: ":cat:", icon: picture(host) };
    const own = gail.note({ attachment: [picture(host)], tag: [cat] });
    await create(gail, own);
    const name = `pods${names}`;
    const { ID } = await ann.post<{ ID: number }>("/aspects", { name });
    const gus = goodPod().person(`gus${names}`);
    const { ID: gusId } = await seen(ann, gus.handle);
    await ann.post(`/people/${gusId}/aspects/${ID}`);
    await gus.deliver(kith(), podPost(gus));
    const shown = async () =>
      ann.get<PostRecord & { Emojis?: object[] }>(
        `/posts/${await guidOf(kith(), own)}`,
      );
    const pictures = async () => ({
      photos: (await shown()).Photos.length,
      emojis: (await shown()).Emojis?.length ?? 0,
      avatar:
        (await ann.get<PersonRecord>(`/people/${gusId}`)).Profile.ImageUrl !==
        "",
    });
    assert.deepEqual(await pictures(), { photos: 1, emojis: 1, avatar: true });
    await town.decide(GOOD, { mediaRejected: true });
    assert.deepEqual(await pictures(), { photos: 0, emojis: 0, avatar: false });
    // Nor when another person shows them.
    const eve = town.evil().actor(`eve${names}`);
    await submitAndApply(kith(), ann, { type: "Follow", object: eve.id });
    const hosts = [host, `files.${GOOD}`, "elsewhere.example"];
    const mixed = eve.note({ attachment: hosts.map(picture) });
    await create(eve, mixed);
    const { Photos } = await ann.get<PostRecord>(
      `/posts/${await guidOf(kith(), mixed)}`,
    );
    assert.deepEqual(
      Photos.map(({ Url }) => Url),
      ["http://elsewhere.example/a.png"],
    );
    // Everything else continues.
    await create(gail, gail.note({ content: "<p>words</p>" }));
    assert.ok((await texts(ann)).includes("words"));
    await town.forgive(GOOD);
    assert.deepEqual(await pictures(), { photos: 1, emojis: 1, avatar: true });
  });

  test("another process applies a decision within seconds", async () => {
    const { db, clock } = kith();
    const { audit, jobs } = kith().server.features;
    const here = { db, clock, audit, jobs, handleHost: kith().host };
    const other = createHostPolicies({ ...here, onlyAllowedHosts: false });
    assert.equal(await other.isHostAllowed("late.example"), true);
    await kith().server.features.hostPolicies.set(null, "late.example", {
      blocked: true,
    });
    clock.advance(6_000);
    assert.equal(await other.isHostAllowed("late.example"), false);
    assert.equal(
      await other.isHostAllowed("https://a.LATE.example.:1/x"),
      false,
    );
    assert.equal(await other.isHostAllowed("not-late.example"), true);
  });

  test("decisions about this server, and about invalid hosts, are refused", async () => {
    const { hostPolicies } = kith().server.features;
    for (const host of [kith().host, kith().baseUrl, "LOCALHOST.", "", "a b"])
      assert.equal(
        await hostPolicies.set(null, host, { blocked: true }),
        false,
      );
    assert.equal(await hostPolicies.isHostAllowed(kith().baseUrl), true);
    assert.equal(await hostPolicies.isHostAllowed("a b"), false);
    assert.equal(await hostPolicies.forgive(null, "nothing.example"), false);
  });
});

forEachDatabase((kind) => {
  const env = { KITH_ONLY_ALLOWED_HOSTS: "true" };
  const town = useHostServers(kind, { env });
  const { kith, good, evil, goodPod } = town;

  test("with an allowlist, other hosts are blocked", async () => {
    const ann = await kith().person();
    const find = async (handle: string) =>
      (await ann.call("POST", "/search", { form: { handle } })).status;
    const [gail, eve] = [good().actor("gail"), evil().actor("eve")];
    const gus = goodPod().person("gus");
    assert.equal(await find(gail.handle), 404);
    assert.deepEqual(good().asked, []);
    await town.decide(GOOD, { allowed: true });
    // A failed look-up is not repeated at once.
    kith().clock.advance(600_000);
    assert.equal(await find(gail.handle), 200);
    assert.equal(await find(gus.handle), 200, "All below it may as well");
    assert.equal(await find(eve.handle), 404);
    await submitAndApply(kith(), ann, { type: "Follow", object: gail.id });
    const note = gail.note({ content: "<p>welcome</p>" });
    await gail.deliver(
      kith(),
      gail.activity("Create", { ...FOR_ALL, object: note }),
    );
    const create = eve.activity("Create", { ...FOR_ALL, object: eve.note() });
    assert.equal((await eve.send(kith(), create)).status, 403);
    assert.deepEqual([evil().asked, evil().delivered], [[], []]);
    const path = `/posts/${await guidOf(kith(), note)}`;
    assert.equal((await ann.call("GET", path)).status, 200);
    await town.forgive(GOOD);
    assert.equal((await ann.call("GET", path)).status, 404);
  });
});
