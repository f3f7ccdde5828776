import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { test } from "node:test";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Message = {
  readonly stream?: readonly string[];
  readonly event?: string;
  readonly payload?: string;
  readonly error?: string;
};

/** Messages of a socket, one after the other. */
async function connect(url: string, protocols: string[] = []) {
  const socket = new WebSocket(url, protocols);
  const waiting: Message[] = [];
  let wake = () => {};
  socket.addEventListener("message", ({ data }) => {
    waiting.push(JSON.parse(String(data)) as Message);
    wake();
  });
  await once(socket, "open");
  const next = async (): Promise<Message> => {
    while (waiting.length === 0)
      await new Promise<void>((resolve) => (wake = resolve));
    return waiting.shift() ?? {};
  };
  return { socket, next };
}

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  const address = (query = "") =>
    `${kith().baseUrl.replace("http", "ws")}/api/v1/streaming${query}`;
  const untilOpen = async (count: number) => {
    const { changes } = kith().server.features;
    while (changes.countOpen() < count)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };

  test("a socket sends posts, edits, deletions, notifications and messages", async () => {
    const [ann, bob] = [await client(), await client()];
    await ann.app.post(`/v1/accounts/${bob.who.record.ID}/follow`);
    const { socket, next } = await connect(address("/?stream=user"), [
      ann.who.token,
    ]);
    assert.equal(socket.protocol, ann.who.token);
    await untilOpen(1);
    const { id } = await bob.app.write("first");
    const update = await next();
    assert.deepEqual([update.stream, update.event], [["user"], "update"]);
    assert.equal((JSON.parse(update.payload ?? "") as { id: string }).id, id);
    kith().clock.advance(1_000);
    await bob.app.put(`/v1/statuses/${id}`, { status: "second" });
    const edit = await next();
    assert.equal(edit.event, "status.update");
    assert.match(edit.payload ?? "", /second/);
    await bob.app.delete(`/v1/statuses/${id}`);
    const deletion = await next();
    assert.deepEqual([deletion.event, deletion.payload], ["delete", id]);
    await bob.app.write(`hi @${ann.who.username}`, { visibility: "direct" });
    const talk = await next();
    assert.equal(talk.event, "conversation");
    await kith().settle();
    const notice = await next();
    assert.equal(notice.event, "notification");
    assert.match(notice.payload ?? "", /"type":"mention"/);
    socket.close();
    await once(socket, "close");
  });

  test("reactions to announcements are counted for everybody who is there", async () => {
    const [ann, bob] = [await client(), await client()];
    const { announcements } = kith().server.features;
    const { id } = await announcements.publish(null, { text: "New cakes" });
    const { socket, next } = await connect(
      address(`?stream=user&access_token=${ann.who.token}`),
    );
    await untilOpen(1);
    const path = `/v1/announcements/${id}/reactions/${encodeURIComponent("🍰")}`;
    for (const [{ app }, method, count] of [
      [bob, "PUT", 1],
      [ann, "PUT", 2],
      [bob, "DELETE", 1],
      [ann, "DELETE", 0],
    ] as const) {
      await app.call(method, path);
      // A repetition is no event.
      await app.call(method, path);
      const { event, payload, stream } = await next();
      assert.deepEqual([event, stream], ["announcement.reaction", ["user"]]);
      assert.deepEqual(JSON.parse(payload ?? ""), {
        ...{ name: "🍰", count, announcement_id: String(id) },
      });
    }
    socket.close();
    await once(socket, "close");
  });

  test("open streams of a user learn that its filters have changed, and others do not", async () => {
    const [ann, bob] = [await client(), await client()];
    const { socket, next } = await connect(
      address(`?stream=user&access_token=${ann.who.token}`),
    );
    await untilOpen(1);
    const changed = async () =>
      assert.deepEqual(await next(), {
        ...{ stream: ["user"], event: "filters_changed" },
      });
    const words = {
      ...{ title: "Cakes", context: ["home"] },
      keywords_attributes: [{ keyword: "cake" }],
    };
    await bob.app.post("/v2/filters", words);
    const { id } = await ann.app.post<{ id: string }>("/v2/filters", {
      ...{ ...words, expires_in: 3_600 },
    });
    await changed();
    await ann.app.put(`/v2/filters/${id}`, { title: "Sweets" });
    await changed();
    const status = await ann.app.write("a cake");
    assert.equal((await next()).event, "update");
    const { id: filtered } = await ann.app.post<{ id: string }>(
      `/v2/filters/${id}/statuses`,
      { status_id: status.id },
    );
    await changed();
    await ann.app.delete(`/v2/filters/statuses/${filtered}`);
    await changed();
    kith().clock.advance(3_600_000);
    await kith().settle();
    await changed();
    const old = await ann.app.post<{ id: string }>("/v1/filters", {
      ...{ phrase: "tart", context: ["home"] },
    });
    await changed();
    await ann.app.delete(`/v1/filters/${old.id}`);
    await changed();
    socket.close();
    await once(socket, "close");
  });

  test("announcements are sent when they are published and withdrawn, to everybody who is there", async () => {
    const ann = await client();
    const { announcements } = kith().server.features;
    const { socket, next } = await connect(
      address(`?stream=user&access_token=${ann.who.token}`),
    );
    await untilOpen(1);
    const { id } = await announcements.publish(null, { text: "New *cakes*" });
    const shown = await next();
    assert.deepEqual([shown.event, shown.stream], ["announcement", ["user"]]);
    const [listed] = await ann.app.get<{ id: string }[]>("/v1/announcements");
    assert.deepEqual(JSON.parse(shown.payload ?? ""), listed);
    assert.equal(listed?.id, String(id));
    await announcements.withdraw(null, id);
    const gone = await next();
    assert.deepEqual(
      [gone.event, gone.payload, gone.stream],
      ["announcement.delete", String(id), ["user"]],
    );
    socket.close();
    await once(socket, "close");
  });

  test("streams are subscribed to and left; others are refused on the open socket", async () => {
    const [ann, bob] = [await client(), await client()];
    const list = await ann.app.post<{ id: string }>("/v1/lists", {
      title: "l",
    });
    await ann.app.post(`/v1/lists/${list.id}/accounts`, {
      account_ids: [String(bob.who.record.ID)],
    });
    const { socket, next } = await connect(
      address(`?access_token=${ann.who.token}`),
    );
    const send = (message: object | string) =>
      socket.send(
        typeof message === "string" ? message : JSON.stringify(message),
      );
    send({ type: "subscribe", stream: "nonsense" });
    assert.equal((await next()).error, "Unknown stream type");
    for (const broken of ["{", "[]", "7", '{"type":{"a":1}}', '{"type":"x"}']) {
      send(broken);
      assert.equal((await next()).error, "The message cannot be read", broken);
    }
    send({ type: "subscribe", stream: "list", list: list.id });
    send({ type: "subscribe", stream: "nonsense" });
    assert.equal((await next()).error, "Unknown stream type");
    await untilOpen(1);
    await bob.app.write("for the list");
    assert.deepEqual((await next()).stream, ["list", list.id]);
    send({ type: "subscribe", stream: "user" });
    send({ type: "subscribe", stream: "nonsense" });
    assert.equal((await next()).error, "Unknown stream type");
    await ann.app.put(`/v1/lists/${list.id}`, { exclusive: "true" });
    await bob.app.write("for the list alone");
    assert.deepEqual((await next()).stream, ["list", list.id]);
    await ann.app.put(`/v1/lists/${list.id}`, { exclusive: "false" });
    send({ type: "unsubscribe", stream: "list", list: list.id });
    send({ type: "subscribe", stream: "nonsense" });
    assert.equal((await next()).error, "Unknown stream type");
    await bob.app.write("for home");
    assert.deepEqual((await next()).stream, ["user"]);
    socket.close();
    await once(socket, "close");
  });

  test("a socket without a token that reads is refused before the handshake", async () => {
    const ask = async (headers: Record<string, string>, path: string) => {
      const call = request(kith().baseUrl + path, {
        headers: {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
          ...headers,
        },
      });
      call.end();
      const [response] = (await once(call, "response")) as [
        { statusCode: number; resume(): void },
      ];
      response.resume();
      return response.statusCode;
    };
    assert.equal(await ask({}, "/api/v1/streaming?stream=user"), 401);
    const wrong = { authorization: `Bearer ${"0".repeat(64)}` };
    assert.equal(await ask(wrong, "/api/v1/streaming"), 401);
    // Elsewhere the wish for another protocol is ignored (RFC 9110, section 7.8).
    assert.equal(await ask({}, "/healthz"), 200);
    assert.equal(await ask({ upgrade: "h2c" }, "/api/v1/instance"), 200);
  });

  test("a socket closes when its token ends", async () => {
    const { who } = await client();
    const { socket } = await connect(address("?stream=user"), [who.token]);
    await untilOpen(1);
    const closed = once(socket, "close");
    const tokens = await who.get<{ ID: number }[]>("/oauth/tokens");
    for (const { ID } of tokens) await who.delete(`/oauth/tokens/${ID}`);
    await closed;
  });

  test("server-sent events say the same", async () => {
    const [ann, bob] = [await client(), await client()];
    await ann.app.post(`/v1/accounts/${bob.who.record.ID}/follow`);
    const leave = new AbortController();
    const response = await fetch(`${kith().baseUrl}/api/v1/streaming/user`, {
      headers: { authorization: `Bearer ${ann.who.token}` },
      signal: leave.signal,
    });
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    await untilOpen(1);
    const { id } = await bob.app.write("over events");
    let text = "";
    const decoder = new TextDecoderStream();
    for await (const part of response.body?.pipeThrough(decoder) ?? []) {
      text += String(part);
      if (/event: update\ndata: .*\n\n/.test(text)) break;
    }
    const [, data = "{}"] = /event: update\ndata: (.*)\n\n/.exec(text) ?? [];
    assert.equal((JSON.parse(data) as { id: string }).id, id);
    leave.abort();
    const health = await fetch(`${kith().baseUrl}/api/v1/streaming/health`);
    assert.equal(await health.text(), "OK");
    await MastodonClient.of(kith()).refused(
      "GET",
      "/v1/streaming/user",
      401,
      "The access token is invalid",
    );
    await ann.app.refused("GET", "/v1/streaming/list", 404, "Record not found");
    await ann.app.notFound("GET", "/v1/streaming/hashtag");
    await ann.app.notFound("GET", "/v1/streaming/hashtag?tag=a.b");
  });

  /** The streams in which a socket gets updates, until a post with this text comes. */
  const listen = async (
    who: Awaited<ReturnType<typeof client>>,
    ...streams: object[]
  ) => {
    const { socket, next } = await connect(address(), [who.who.token]);
    for (const stream of streams)
      socket.send(JSON.stringify({ type: "subscribe", ...stream }));
    socket.send(JSON.stringify({ type: "subscribe", stream: "nonsense" }));
    assert.equal((await next()).error, "Unknown stream type");
    const until = async (end: string) => {
      const seen: string[] = [];
      for (;;) {
        const { stream = [], event = "", payload = "" } = await next();
        if (payload.includes(end)) return seen;
        seen.push(`${stream.join(" ")}: ${event} ${textOf(payload)}`);
      }
    };
    return { socket, next, until };
  };
  const textOf = (payload: string) =>
    />(?:<[^>]*>)*([^<]+)/.exec(payload)?.[1] ?? payload;

  test("public streams have what their names say, without following anybody", async () => {
    const [ann, bob] = [await client(), await client()];
    const { socket, until } = await listen(
      ann,
      { stream: "public" },
      { stream: "public:local" },
      { stream: "public:remote" },
      { stream: "public:media" },
      { stream: "hashtag", tag: "Tea" },
      { stream: "hashtag:local", tag: "coffee" },
    );
    await bob.app.write("plain words");
    await bob.app.write("a cup #tea");
    await bob.app.write("quiet", { visibility: "unlisted" });
    await bob.app.write("for friends", { visibility: "private" });
    await bob.app.write(`for you @${ann.who.username}`, {
      visibility: "direct",
    });
    const { id } = await bob.app.write("with mistakes");
    kith().clock.advance(1_000);
    await bob.app.put(`/v1/statuses/${id}`, { status: "without them" });
    await bob.app.delete(`/v1/statuses/${id}`);
    await bob.app.write("the end");
    const seen = await until("the end");
    assert.deepEqual(seen, [
      "public: update plain words",
      "public:local: update plain words",
      "public: update a cup ",
      "public:local: update a cup ",
      "hashtag tea: update a cup ",
      "public: update with mistakes",
      "public:local: update with mistakes",
      "public: status.update without them",
      "public:local: status.update without them",
      `public: delete ${id}`,
      `public:local: delete ${id}`,
      `public:media: delete ${id}`,
    ]);
    socket.close();
    await once(socket, "close");
  });

  test("blocks, ignores, silence and filters hold there, too", async () => {
    const [ann, bob, bore, word] = [
      await client(),
      await client(),
      await client(),
      await client(),
    ];
    const readers = [ann, bob, bore, word];
    const ids = readers.map(({ who }) => String(who.record.ID));
    await ann.app.post(`/v1/accounts/${ids[1]}/block`);
    await ann.app.post(`/v1/accounts/${ids[2]}/mute`);
    await ann.app.post("/v2/filters", {
      ...{ title: "spoiler", context: ["public"], filter_action: "hide" },
      keywords_attributes: [{ keyword: "finale" }],
    });
    await ann.app.post("/v2/filters", {
      ...{ title: "sport", context: ["public"], filter_action: "warn" },
      keywords_attributes: [{ keyword: "football" }],
    });
    const atAnn = await listen(ann, { stream: "public" });
    const atBob = await listen(bob, { stream: "public" });
    await bob.app.write("blocked");
    await bore.app.write("ignored");
    await word.app.write("the finale");
    await word.app.write("some football");
    await ann.app.write("from ann");
    const boss = await kith().person({ role: "moderator" });
    await boss.put(`/admin/people/${ids[3]}/silence`, { reason: "loud" });
    await word.app.write("silenced");
    await bore.app.write("the end");
    await (await client()).app.write("the end");
    assert.deepEqual(await atAnn.until("the end"), [
      "public: update some football",
      "public: update from ann",
    ]);
    assert.deepEqual(await atBob.until("the end"), [
      "public: update blocked",
      "public: update ignored",
      "public: update the finale",
      "public: update some football",
    ]);
    for (const { socket } of [atAnn, atBob]) {
      socket.close();
      await once(socket, "close");
    }
  });

  test("a warning of one's own filters comes with the post", async () => {
    const [ann, bob] = [await client(), await client()];
    await ann.app.post("/v2/filters", {
      ...{ title: "sport", context: ["public"], filter_action: "warn" },
      keywords_attributes: [{ keyword: "football" }],
    });
    const { socket, next } = await listen(ann, { stream: "public" });
    await bob.app.write("some football");
    const { payload = "" } = await next();
    const { filtered } = JSON.parse(payload) as {
      filtered: { keyword_matches: string[] }[];
    };
    assert.deepEqual(filtered[0]?.keyword_matches, ["football"]);
    socket.close();
    await once(socket, "close");
  });

  test("server-sent events have them by their paths", async () => {
    const [ann, bob] = [await client(), await client()];
    for (const path of ["public", "public/local", "hashtag?tag=news"]) {
      const leave = new AbortController();
      const response = await fetch(
        `${kith().baseUrl}/api/v1/streaming/${path}`,
        {
          headers: { authorization: `Bearer ${ann.who.token}` },
          signal: leave.signal,
        },
      );
      assert.equal(response.status, 200, path);
      await untilOpen(1);
      await bob.app.write("hot off the press #news");
      let text = "";
      const decoder = new TextDecoderStream();
      for await (const part of response.body?.pipeThrough(decoder) ?? []) {
        text += String(part);
        if (/event: update\ndata: .*\n\n/.test(text)) break;
      }
      assert.match(text, /hot off the press/);
      leave.abort();
    }
  });

  test("a socket that breaks the rules is dropped, and the others stay", async () => {
    const { who, app } = await client();
    const url = address("?stream=user");
    const [bad, good] = await Promise.all([
      connect(url, [who.token]),
      connect(url, [who.token]),
    ]);
    await untilOpen(2);
    const closed = once(bad.socket, "close");
    bad.socket.send("x".repeat(5_000));
    await closed;
    const { changes } = kith().server.features;
    while (changes.countOpen() > 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const { id } = await app.write("still there");
    const { payload = "" } = await good.next();
    assert.equal((JSON.parse(payload) as { id: string }).id, id);
    good.socket.close();
  });

  test("open sockets are no requests under way", async () => {
    const { app } = await client();
    const sockets: WebSocket[] = [];
    for (let account = 0; account < 101; account += 1) {
      const { who } = await client();
      const url = address("?stream=user");
      const some = Array.from({ length: 10 }, () => connect(url, [who.token]));
      for (const { socket } of await Promise.all(some)) sockets.push(socket);
    }
    await app.get("/v1/timelines/home");
    for (const socket of sockets) {
      socket.close();
      await once(socket, "close");
    }
  });
});
