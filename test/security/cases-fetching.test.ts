import assert from "node:assert/strict";
import { newReceiverKeys } from "../../packages/server/test/support/push/push-receiver.ts";
import { connect } from "node:net";
import { once } from "node:events";
import { before, beforeEach, describe, test } from "node:test";
import {
  CONTENT_TYPE,
  PUBLIC,
  signCavage,
  type JsonObject,
} from "@kith/activitypub";
import {
  NO_ADDRESSES,
  type Person,
} from "../../packages/server/src/features/people/index.ts";
import { insertInbound } from "../../packages/server/src/federation/inbound/inbound-store.ts";
import { HANDLE_INBOUND } from "../../packages/server/src/federation/inbound/inbound.ts";
import { timestamp } from "../../packages/server/src/lib/time/clock.ts";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { takeRsaPair } from "../../packages/server/test/support/server/rsa-pairs.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import { submit } from "../../packages/server/test/support/remote/linked-data.ts";
import { HOSTILE_HOSTS, hostileUrls, resolveHostile } from "./hostile-urls.ts";
import { useTrap, watchAttempts } from "./watch-attempts.ts";

const FOR_ALL = { to: [PUBLIC], cc: [] };

/** The requests to the network are the same with every database. */
describe("a server on the internet connects to no forbidden address", () => {
  const kith = useKith("sqlite", {
    env: { KITH_ALLOW_PRIVATE_NETWORK: "false", KITH_LINK_PREVIEWS: "true" },
    resolveHost: resolveHostile,
  });
  const trap = useTrap();
  const watch = watchAttempts();
  const { privateKey, publicKeyPem } = takeRsaPair();
  let ann: TestPerson;
  /** Has no contacts: each post of Ann's goes to all her hostile ones. */
  let ben: TestPerson;
  let aspect: number;
  let peer: Person;
  let names = 0;
  /** The number of URLs that could be stored for a person at all. */
  let stored = 0;
  const urls = () => hostileUrls(trap.port());
  const ownPorts = () => [Number(new URL(kith().baseUrl).port)];

  before(async () => {
    ann = await kith().person({ handle: "ann" });
    ben = await kith().person({ handle: "ben" });
    const made = await ann.post<{ ID: number }>("/aspects", { name: "all" });
    aspect = made.ID;
    await fetch(`${kith().baseUrl}/api/v1/ap/instance`);
    peer = (await store("https://peer.example/")) ?? assert.fail();
    await ann.post(`/people/${peer.id}/aspects/${aspect}`);
    await kith().settle();
  });
  beforeEach(() => {
    watch.forget();
  });

  /** A person whose server was discovered earlier, with every address below one URL. */
  async function store(
    url: string,
    protocol: "activitypub" | "diaspora" = "activitypub",
  ): Promise<Person | undefined> {
    names += 1;
    const at = url.replace(/[^/]*$/, "");
    const isAp = protocol === "activitypub";
    const actorUri = `${at}users/p${names}`;
    // Of what is no host nobody is stored.
    return kith().server.features.remotePeople.store({
      handle: `p${names}@known.example`,
      guid: newGuid(),
      publicKeyPem,
      keys: isAp ? [{ keyId: `${actorUri}#main-key`, publicKeyPem }] : [],
      protocols: [protocol],
      addresses: isAp
        ? { ...NO_ADDRESSES, actorUri, inboxUri: `${actorUri}/inbox` }
        : { ...NO_ADDRESSES, seedLocation: at },
      profile: {},
    });
  }

  /** Sends this with a valid signature. */
  async function say(by: Person, activity: JsonObject): Promise<void> {
    const actor = by.addresses.actorUri ?? "";
    const id = `${actor}/activities/${newGuid()}`;
    const document = {
      "@context": "https://www.w3.org/ns/activitystreams",
      id,
      actor,
      ...FOR_ALL,
      ...activity,
    };
    const { jobs } = kith().server.features;
    await kith().db.transaction(async (tx) => {
      const messageId = await insertInbound(tx, {
        protocol: "activitypub",
        messageId: id,
        sender: actor,
        recipientUserId: null,
        verified: true,
        body: Buffer.from(JSON.stringify(document)),
        receivedAt: timestamp(kith().clock.now()),
      });
      if (messageId === undefined) throw new Error("It is new");
      await jobs.enqueue(tx, HANDLE_INBOUND, { messageId }, { lane: id });
    });
  }

  const note = (by: Person, more: JsonObject): JsonObject => ({
    id: `${by.addresses.actorUri}/notes/${newGuid()}`,
    type: "Note",
    attributedTo: by.addresses.actorUri,
    content: "x",
    ...FOR_ALL,
    ...more,
  });

  /** The input of a feature for each URL, through its own endpoint. */
  const FEATURES: Readonly<Record<string, (url: string) => Promise<unknown>>> =
    {
      "the actor of somebody, by its id": (url) =>
        kith().server.discovery.byActor(url),
      "the key that a request names": async (url) => {
        const to = `${kith().baseUrl}/api/v1/ap/inbox`;
        const actor = url;
        const like = { id: `${url}/1`, type: "Like", actor, object: url };
        const body = Buffer.from(JSON.stringify(like));
        const headers = await signCavage({
          method: "POST",
          url: to,
          headers: { "content-type": CONTENT_TYPE },
          body,
          keyId: encodeURI(url),
          privateKey,
          now: kith().clock.now(),
        });
        const { status } = await fetch(to, { method: "POST", headers, body });
        assert.ok(status >= 400, `${url} ${status}`);
      },
      "what is boosted": (url) => say(peer, { type: "Announce", object: url }),
      "what is answered": (url) =>
        say(peer, { type: "Create", object: note(peer, { inReplyTo: url }) }),
      "what is made, by its id alone": (url) =>
        say(peer, { type: "Create", object: url }),
      "what is changed, by its id alone": (url) =>
        say(peer, { type: "Update", object: url }),
      "where somebody moves to": (url) =>
        say(peer, {
          type: "Move",
          object: peer.addresses.actorUri ?? "",
          target: url,
        }),
      "collections, and their pages": async (url) => {
        const by = await store(url);
        if (!by) return;
        stored += 1;
        await ann.call("POST", `/people/${by.id}/aspects/${aspect}`);
        const replies = `${by.addresses.actorUri}/replies`;
        const object = note(by, { replies, context: url });
        await say(by, { type: "Create", object });
        const updated = "2026-05-05T00:00:00Z";
        await say(by, { type: "Update", object: { ...object, updated } });
      },
      "inboxes, and the NodeInfo of their servers": async (url) => {
        const by = await store(url);
        if (!by) return;
        stored += 1;
        await ann.call("POST", `/people/${by.id}/aspects/${aspect}`);
      },
      "the seed location: the stream, and deliveries": async (url) => {
        const by = await store(url, "diaspora");
        if (!by) return;
        stored += 1;
        const { handle, id } = by;
        await ann.call("POST", "/search", { form: { handle } });
        await ann.call("POST", `/people/${id}/aspects/${aspect}`);
      },
      "the seed location: what a link leads to": async (url) => {
        const by = await store(url, "diaspora");
        if (!by) return;
        stored += 1;
        const q = `diaspora://${by.handle}/post/${newGuid()}`;
        const to = `${kith().baseUrl}/link?q=${encodeURIComponent(q)}`;
        await fetch(to, { headers: { cookie }, redirect: "manual" });
      },
      "what a program follows, likes and writes to": async (url) => {
        for (const type of ["Follow", "Like", "Announce"])
          await submit(kith(), ann, { type, object: url });
        await submit(kith(), ann, { type: "Note", content: "x", to: [url] });
      },
      "a picture that a reader loads": async (url) => {
        const { addressOf } = kith().server.features.proxyAddresses;
        const { status } = await fetch(addressOf(url));
        // Too many fetches at once are refused.
        assert.ok([404, 503].includes(status), `${url} ${status}`);
      },
      "a sound or a video that a reader plays": async (url) => {
        const { streamAddressOf } = kith().server.features.proxyAddresses;
        const { status } = await fetch(streamAddressOf(url));
        assert.ok([404, 503].includes(status), `${url} ${status}`);
      },
      "aliases of an account": (url) =>
        ann.call("PUT", "/users/self/aliases", { form: { aliases: url } }),
    };

  let cookie = "";
  before(async () => {
    const body = new URLSearchParams({ username: "ann", password: PASSWORD });
    const signedIn = await fetch(`${kith().baseUrl}/users/sign_in`, {
      method: "POST",
      body,
      redirect: "manual",
    });
    const [first = ""] = signedIn.headers.getSetCookie();
    cookie = first.split(";")[0] ?? "";
    assert.match(cookie, /=/);
  });

  test("case 29: there are more than a hundred ways, and an attempt would be seen", async () => {
    assert.ok(urls().length > 100, String(urls().length));
    assert.equal(new Set(urls()).size, urls().length);
    const socket = connect(trap.port(), "127.0.0.1");
    await once(socket, "close");
    assert.deepEqual(watch.others(ownPorts()), [`127.0.0.1 ${trap.port()}`]);
    assert.equal(trap.attempts(), 1);
  });

  for (const [name, give] of Object.entries(FEATURES))
    test(`case 29: ${name}`, async () => {
      stored = 0;
      await Promise.all(urls().map(give));
      assert.ok(stored === 0 || stored > 90, String(stored));
      await settled();
    });

  test("case 30: WebFinger, for any searched person", async () => {
    const search = (host: string) => {
      names += 1;
      const handle = `x${names}@${host}`;
      return ann.call("POST", "/search", { form: { handle } });
    };
    const hosts = HOSTILE_HOSTS.flatMap((host) => [
      host,
      `${host}:${trap.port()}`,
    ]);
    for (const { status } of await Promise.all(hosts.map(search)))
      assert.ok([400, 404].includes(status), String(status));
    await settled();
  });

  test("case 29: the address of a page, for any searching user", async () => {
    const search = async (url: string) => {
      const guid = newGuid();
      const origin = URL.parse(url)?.origin ?? url;
      const pages = ["", `people/${guid}`, `posts/${guid}`, "u/somebody"];
      for (const page of pages) {
        const handle = page === "" ? url : `${origin}/${page}`;
        const form = { handle };
        const { status } = await ann.call("POST", "/search", { form });
        assert.ok([400, 404].includes(status), String(status));
      }
    };
    await Promise.all(urls().map(search));
    await settled();
  });

  test("case 29: inboxes, and the receivers of diaspora*, of the author's contacts", async () => {
    await ann.call("POST", "/posts", { form: { post: "hello" } });
    await settled();
    const { length } = await kith()
      .db.read.selectFrom("contacts")
      .select("id")
      .where("user_id", "=", ann.record.UserID)
      .execute();
    assert.ok(length > 270, String(length));
  });

  test("case 29: the page that a post links", async () => {
    for (const url of urls())
      await ben.call("POST", "/posts", { form: { post: `[it](<${url}>)` } });
    const { length } = await kith()
      .db.read.selectFrom("post_links")
      .select("url")
      .execute();
    assert.ok(length > 50, String(length));
    await kith().server.prepare();
    kith().clock.advance(60_000);
    await settled();
    const read = await kith()
      .db.read.selectFrom("link_previews")
      .select(["url", "title"])
      .execute();
    assert.ok(read.length > 50, String(read.length));
    assert.ok(read.every(({ title }) => title === null));
  });

  test("case 29: a calendar that a user subscribes to", async () => {
    for (const url of urls()) {
      const sent = await ann.call("POST", "/subscribed_calendars", {
        form: { url },
      });
      assert.equal(sent.status, 400, url);
    }
    // Read again after its name leads elsewhere.
    const { db, server, clock } = kith();
    const { subscribedCalendars } = server.features;
    const { UserID } = ann.record;
    const text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n";
    const found = await subscribedCalendars.subscribe(
      UserID,
      { url: "https://calendars.example/a.ics" },
      async () => ({
        ...{ kind: "read", bytes: Buffer.from(text) },
        ...{ etag: null, lastModified: null },
      }),
    );
    assert.ok(typeof found !== "string");
    for (const url of urls()) {
      await db.transaction(async (tx) => {
        await tx
          .updateTable("subscribed_calendars")
          .set({ url, due_at: timestamp(clock.now()) })
          .where("id", "=", found.id)
          .execute();
      });
      clock.advance(60_000);
      const path = `/subscribed_calendars/${found.id}/refresh`;
      const { status } = await ann.call("POST", path);
      assert.equal(status, 200, url);
      const { fault } = await subscribedCalendars.get(UserID, found.id);
      assert.match(fault ?? "", /^(unreachable|blocked)$/, url);
    }
    await ann.call("DELETE", `/subscribed_calendars/${found.id}`);
    await settled();
  });

  test("case 29: the push service of a device", async () => {
    const { pair, auth } = newReceiverKeys();
    const keys = {
      p256dh: pair.getPublicKey("base64url"),
      auth: auth.toString("base64url"),
    };
    const data = { alerts: { mention: true } };
    for (const endpoint of urls()) {
      const receiver = await kith().person();
      await fetch(`${kith().baseUrl}/api/v1/push/subscription`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${receiver.token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ subscription: { endpoint, keys }, data }),
      });
      const form = { post: `hello @{${receiver.handle}}` };
      await ben.call("POST", "/posts", { form });
    }
    await settled();
  });

  test("case 35: relays, by actor and by inbox", async () => {
    const { relays } = kith().server.features;
    for (const url of urls()) {
      await relays.add(null, url).catch(() => false);
      await relays.add(null, `${url}/inbox`).catch(() => false);
    }
    await settled();
  });

  /** All consequences have been processed, and no connection was opened. */
  async function settled(): Promise<void> {
    await kith().settle();
    assert.deepEqual(watch.others(ownPorts()), []);
    assert.equal(trap.attempts(), 0);
  }
});
