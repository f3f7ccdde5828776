import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { photoUrl, type Photo as PhotoEntity } from "@kith/diaspora";
import type { JsonObject } from "@kith/activitypub";
import type { Photo } from "../../src/features/photos/index.ts";
import { hideSharedAddresses } from "../../src/features/photos/index.ts";
import { createLog } from "../../src/observability/log.ts";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import {
  activityOf,
  ask,
  objectOf,
  read,
} from "../support/remote/linked-data.ts";
import {
  fetchAll,
  picture,
  pictureForm,
  upload,
} from "../support/scenes/pictures.ts";
import { sendRaw } from "../support/server/raw-http.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  AspectRecord,
  PersonRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

const SIZES = ["original", "small", "medium", "large", "scaled"] as const;
const ABSENT = "0".repeat(32);
const NOWHERE = `/uploads/${"A".repeat(32)}/${ABSENT}.png`;

forEachDatabase((kind) => {
  let logged = "";
  const write = (line: string): void => void (logged += line);
  const log = createLog("trace", hideSharedAddresses, { write });
  const kith = useKith(kind, { log });
  let pod: DiasporaPod;
  let remote: RemoteServer;
  let mona: TestPerson;
  let sven: TestPerson;
  let owner: TestPerson;
  let bob: PodPerson;
  let dan: RemoteActor;
  let aspectID: number;

  before(async () => {
    pod = await DiasporaPod.start();
    remote = await RemoteServer.start();
    [owner, mona, sven] = [
      await kith().person({ handle: "ann" }),
      await kith().person({ handle: "mona" }),
      await kith().person({ handle: "sven" }),
    ];
    bob = pod.person("bob");
    dan = remote.actor("dan");
    const form = { name: "friends" };
    aspectID = (await owner.post<AspectRecord>("/aspects", form)).ID;
    for (const { handle } of [bob, dan, mona]) {
      const { ID } = await owner.post<PersonRecord>("/search", { handle });
      await owner.post(`/people/${ID}/aspects/${aspectID}`);
    }
    await kith().settle();
  });
  after(() => Promise.all([pod.close(), remote.close()]));
  beforeEach(() => {
    pod.posted.length = 0;
    remote.delivered.length = 0;
  });

  async function publish(count = 1): Promise<PostRecord> {
    const photoID: number[] = [];
    for (let n = 0; n < count; n++) photoID.push((await upload(owner)).ID);
    const json = { post: "for friends", photoID, aspectID };
    const { status, text } = await owner.call("POST", "/posts", { json });
    assert.equal(status, 200, text);
    await kith().settle();
    return JSON.parse(text) as PostRecord;
  }

  /** The pictures with which a post came to the pod. */
  async function toPod({ Guid }: PostRecord): Promise<readonly PhotoEntity[]> {
    const posts = await pod.ofType("status_message");
    const [post, ...others] = posts.filter((it) => it.entity.guid === Guid);
    assert.ok(post?.to === bob && others.length === 0);
    return post.entity.photos;
  }

  const attachedTo = (note: unknown): string[] =>
    ((note as JsonObject)["attachment"] as JsonObject[]).map(({ url }) =>
      typeof url === "string" ? url : assert.fail(),
    );

  /** The address of a picture as it would be if its post were limited. */
  function addressOf({ Guid }: Pick<PhotoRecord, "Guid">): string {
    const { photos } = kith().server.features;
    const folder = photos.sentFolderOf({ guid: Guid } as Photo, {
      public: false,
    });
    return `${folder}${Guid}.png`;
  }

  const secretIn = (url: string) =>
    /\/uploads\/([\w-]{32})\//.exec(url)?.[1] ?? assert.fail(url);

  /** The answer equals that for a missing photo, byte for byte. */
  async function assertNothing(url: string): Promise<void> {
    for (const method of ["GET", "HEAD"]) {
      const got = await fetchAll(url, {}, method);
      assert.equal(got.status, 404, url);
      const absent = await fetchAll(kith().baseUrl + NOWHERE, {}, method);
      assert.deepEqual(got, absent, url);
    }
    const { Guid = ABSENT } = /(?<Guid>[0-9a-f]{32})\./.exec(url)?.groups ?? {};
    const tagged = { "if-none-match": `"${Guid}-full"` };
    assert.equal((await fetchAll(url, tagged)).status, 404, url);
  }

  async function assertShared(url: string): Promise<void> {
    const { status, headers, bytes } = await fetchAll(url);
    assert.equal(status, 200, url);
    assert.ok(bytes.length > 0);
    assert.equal(headers["content-type"], "image/png");
    assert.equal(headers["cache-control"], "private, no-cache");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(headers["x-robots-tag"] ?? "", /\bnoindex\b/);
    assert.equal(headers["referrer-policy"], "no-referrer");
    // Pages of the servers that got it show it.
    assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
    assert.match(headers["content-security-policy"] ?? "", /sandbox/);
    const etag = headers["etag"] ?? assert.fail("no tag");
    const again = await fetchAll(url, { "if-none-match": etag });
    assert.equal(again.status, 304);
    assert.equal(again.headers["cache-control"], "private, no-cache");
  }

  test("over diaspora* it comes with its post, in every size that pods ask for", async () => {
    const published = await publish();
    const { Guid, Photos } = published;
    const [photo, ...others] = await toPod(published);
    assert.ok(photo && Photos[0]);
    assert.deepEqual(others, []);
    assert.equal(photo.guid, Photos[0].Guid);
    assert.equal(photo.public, false);
    assert.equal(photo.statusMessageGuid, Guid);
    assert.ok(photo.remotePhotoPath.endsWith("/"));
    for (const size of SIZES) await assertShared(photoUrl(photo, size));
    assert.equal(photoUrl(photo), addressOf(Photos[0]));
  });

  test("over ActivityPub it is attached, and to the Note that its readers fetch", async () => {
    const { Guid, Photos } = await publish();
    const create = remote.ofType("Create").at(-1)?.activity["object"];
    const expected = Photos.map((photo) => addressOf(photo));
    assert.deepEqual(attachedTo(create), expected);
    for (const url of expected) await assertShared(url);
    const fetched = await dan.get(kith(), objectOf(kith(), Guid));
    assert.deepEqual(attachedTo(JSON.parse(fetched.text)), expected);
    const activity = await dan.get(kith(), activityOf(kith(), Guid));
    const { object } = JSON.parse(activity.text) as JsonObject;
    assert.deepEqual(attachedTo(object), expected);
    const eve = await remote.actor("eve").get(kith(), objectOf(kith(), Guid));
    assert.equal(eve.status, 404);
    const nobody = await ask(objectOf(kith(), Guid));
    assert.equal(nobody.status, 404);
  });

  test("local people get only the address with access control", async () => {
    const { Guid, Photos } = await publish();
    const [photo] = Photos;
    assert.ok(photo);
    const secret = secretIn(addressOf(photo));
    const shown: string[] = [];
    for (const who of [owner, mona, sven]) {
      for (const path of ["/posts?limit=100", `/posts/${Guid}`])
        shown.push((await who.call("GET", path)).text);
      shown.push((await who.call("GET", `/photos/${photo.Guid}`)).text);
      const browser = visitor(kith().baseUrl);
      const form = { username: who.username, password: PASSWORD };
      await browser.post("/users/sign_in", form);
      for (const path of ["/home", `/posts/${Guid}`])
        shown.push((await browser.get(path)).text);
      const archive = await fetch(`${kith().baseUrl}/api/v0/export`, {
        headers: { access_token: who.token },
      });
      shown.push(gunzipSync(await archive.bytes()).toString("latin1"));
    }
    for (const who of [owner, mona]) {
      const note = await read(objectOf(kith(), Guid), who);
      assert.deepEqual(attachedTo(note), [photo.Url]);
      shown.push(JSON.stringify(note));
      shown.push(JSON.stringify(await read(activityOf(kith(), Guid), who)));
    }
    assert.ok(shown.some((text) => text.includes(photo.Url)));
    for (const text of shown) {
      assert.ok(!text.includes(secret));
      assert.ok(!text.includes("/uploads/"));
    }
    const guess = photo.Url.replace("/media/", "/uploads/");
    assert.equal((await fetchAll(guess)).status, 404);
  });

  describe("guessed addresses do not exist:", () => {
    let photo: PhotoRecord;
    let other: PhotoRecord;
    before(async () => {
      [photo, other] = (await publish(2)).Photos as [PhotoRecord, PhotoRecord];
    });

    test("another secret, or a part of it", async () => {
      const url = addressOf(photo);
      await assertShared(url);
      const secret = secretIn(url);
      for (const guess of [
        secretIn(addressOf(other)),
        secret.slice(0, -1),
        `${secret}A`,
        secret.toLowerCase(),
        "A".repeat(32),
        photo.Guid,
        "%20",
        "ä",
      ])
        await assertNothing(url.replace(secret, guess));
    });

    test("another name", async () => {
      const url = addressOf(photo);
      for (const name of [
        `${other.Guid}.png`,
        `${photo.Guid}.jpg`,
        `${photo.Guid}`,
        `thumb_huge_${photo.Guid}.png`,
        `${photo.Guid.toUpperCase()}.png`,
        `..%2f${photo.Guid}.png`,
      ])
        await assertNothing(url.replace(`${photo.Guid}.png`, name));
    });

    test("for anyone, by token or signature", async () => {
      const url = addressOf(photo).replace(
        secretIn(addressOf(photo)),
        "A".repeat(32),
      );
      const headers = { access_token: owner.token };
      assert.equal((await fetchAll(url, headers)).status, 404);
      assert.equal((await dan.get(kith(), url)).status, 404);
    });

    test("a picture of a public post, or of a person", async () => {
      const open = await upload(owner);
      await owner.post("/posts", { post: "for all", photoID: open.ID });
      await assertNothing(addressOf(open));
      assert.equal((await fetchAll(open.Url)).status, 200);
      const image = await picture(20, 20).png().toBuffer();
      const multipart = pictureForm(image);
      const changed = await owner.call("PUT", "/profile", { multipart });
      assert.equal(changed.status, 200, changed.text);
      const { guid: Guid } = await kith()
        .db.read.selectFrom("photos")
        .select("guid")
        .where("is_profile", "=", true)
        .executeTakeFirstOrThrow();
      for (const prefix of ["", "thumb_large_"]) {
        const url = addressOf({ Guid });
        await assertNothing(url.replace(`${Guid}.`, `${prefix}${Guid}.`));
      }
    });
  });

  test("a picture that waits for its post is there at the address that its owner gets", async () => {
    const waiting = await upload(owner);
    await assertShared(addressOf(waiting));
    const other = addressOf(waiting).replace(
      secretIn(addressOf(waiting)),
      "A".repeat(32),
    );
    assert.equal((await fetchAll(other)).status, 404);
    await owner.delete(`/photos/${waiting.Guid}`);
    assert.equal((await fetchAll(addressOf(waiting))).status, 404);
  });

  test("a picture that is deleted is gone for those elsewhere, too, and the others stay", async () => {
    const post = await publish(2);
    const [first, second] = post.Photos;
    assert.ok(first && second);
    await assertShared(addressOf(first));
    await owner.delete(`/photos/${first.Guid}`);
    const [sent] = await toPod(post);
    assert.equal(sent?.guid, first.Guid);
    for (const size of SIZES) await assertNothing(photoUrl(sent, size));
    await assertShared(addressOf(second));
    await kith().settle();
    const [retraction] = await pod.ofType("retraction");
    assert.equal(retraction?.entity.targetGuid, first.Guid);
    assert.equal(retraction?.to, bob);
  });

  test("with its post it is gone at once", async () => {
    const { Guid, Photos } = await publish();
    const [photo] = Photos;
    assert.ok(photo);
    await assertShared(addressOf(photo));
    await owner.delete(`/posts/${Guid}`);
    await assertNothing(addressOf(photo));
    await kith().settle();
    await assertNothing(addressOf(photo));
  });

  test("no log has the secret, however much is logged", async () => {
    const { Photos } = await publish();
    const [photo] = Photos;
    assert.ok(photo);
    const url = addressOf(photo);
    const secret = secretIn(url);
    logged = "";
    await assertShared(url);
    await fetchAll(url.replace(".png", ".jpg"));
    await fetchAll(url, { access_token: "nobody's" });
    const { pathname } = new URL(url);
    await sendRaw(
      kith().baseUrl,
      `GET ${pathname} HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n`,
    );
    kith().app.log.warn({ url }, `Asked for ${pathname}`);
    assert.match(logged, /client error/i);
    assert.match(logged, /\/uploads\/\[secret\]\//);
    assert.ok(!logged.includes(secret));
    assert.ok(!logged.includes([...Buffer.from(secret)].join(",")));
  });
});
