import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type AccountRecord,
  type MediaRecord,
  type PollRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { readRecording, type RecordingName } from "../support/recordings.ts";
import { picture } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type LoadedNotice = {
  readonly id: string;
  readonly type: string;
  readonly account: AccountRecord;
  readonly status?: StatusRecord;
};

type Grouped = {
  readonly accounts: readonly AccountRecord[];
  readonly statuses: readonly StatusRecord[];
  readonly notification_groups: readonly {
    readonly group_key: string;
    readonly type: string;
    readonly notifications_count: number;
    readonly most_recent_notification_id: number;
    readonly status_id?: string;
  }[];
};

type Played = {
  duration?: number;
  bitrate?: number;
  frame_rate?: string;
  width?: number;
  height?: number;
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };

  test("each notification says who did what to which status", async () => {
    const [ann, bob] = [await client(), await client()];
    const post = await ann.app.write("mine");
    await bob.app.post(`/v1/statuses/${post.id}/favourite`);
    await bob.app.post(`/v1/statuses/${post.id}/reblog`);
    const reply = await bob.app.write("re", { in_reply_to_id: post.id });
    await bob.app.post(`/v1/accounts/${ann.id}/follow`);
    const named = await bob.app.write(`hey @${ann.who.username}`);
    const talk = await bob.app.write(`psst @${ann.who.username}`, {
      visibility: "direct",
    });
    await bob.who.post(`/posts/${post.id}/likes/false`);
    await kith().settle();
    const list = await ann.app.get<LoadedNotice[]>("/v1/notifications");
    assert.deepEqual(
      list.map(({ type, status }) => `${type} ${status?.id ?? ""}`).toSorted(),
      [
        "follow ",
        `mention ${named.id}`,
        `mention ${reply.id}`,
        `mention ${talk.id}`,
        `reblog ${post.id}`,
      ].toSorted(),
      "a dislike is shown as nothing",
    );
    assert.ok(list.every(({ account }) => account.id === String(bob.id)));
    const mentions = await ann.app.get<LoadedNotice[]>(
      "/v1/notifications?types[]=mention&limit=2",
    );
    assert.deepEqual(
      mentions.map(({ type }) => type),
      ["mention", "mention"],
    );
    const others = await ann.app.get<LoadedNotice[]>(
      "/v1/notifications?exclude_types[]=mention&exclude_types[]=follow",
    );
    assert.deepEqual(
      others.map(({ type }) => type),
      ["reblog"],
    );
    const [first] = list;
    const one = await ann.app.get<LoadedNotice>(
      `/v1/notifications/${first?.id}`,
    );
    assert.equal(one.id, first?.id);
    await bob.app.notFound("GET", `/v1/notifications/${first?.id}`);
    await ann.app.post(`/v1/notifications/${first?.id}/dismiss`);
    await ann.app.notFound("GET", `/v1/notifications/${first?.id}`);
    await ann.app.post("/v1/notifications/clear");
    assert.deepEqual(await ann.app.get("/v1/notifications"), []);
  });

  test("favourites of one status are one group, with an id that is a number", async () => {
    const ann = await client();
    const post = await ann.app.write("popular");
    const fans = [await client(), await client(), await client()];
    for (const { app } of fans)
      await app.post(`/v1/statuses/${post.id}/favourite`);
    await fans[0]?.app.write("re", { in_reply_to_id: post.id });
    await kith().settle();
    const list = (query: string) =>
      ann.app.get<Grouped>(`/v2/notifications?${query}`);
    const { notification_groups: groups, accounts, statuses } = await list("");
    assert.deepEqual(
      groups.map((it) => [it.type, it.notifications_count] as const).toSorted(),
      [
        ["favourite", 3],
        ["mention", 1],
      ],
    );
    const favourite = groups.find(({ type }) => type === "favourite");
    assert.equal(favourite?.status_id, post.id);
    assert.ok(Number.isSafeInteger(favourite.most_recent_notification_id));
    assert.equal(accounts.length, 3);
    assert.equal(statuses.length, 2);
    const apart = await list("grouped_types[]=follow");
    assert.equal(apart.notification_groups.length, 4);
    assert.equal((await list("limit=1")).notification_groups.length, 1);
    const path = `/v2/notifications/${favourite.group_key}`;
    const one = await ann.app.get<Grouped>(path);
    assert.equal(one.notification_groups[0]?.notifications_count, 3);
    const people = await ann.app.get<AccountRecord[]>(`${path}/accounts`);
    assert.equal(people.length, 3);
    const count = await ann.app.get<{ count: number }>(
      "/v2/notifications/unread_count",
    );
    assert.equal(count.count, 2);
    await fans[0]?.app.notFound("GET", path);
    await ann.app.post(`${path}/dismiss`);
    await ann.app.notFound("GET", path);
  });

  test("the policy says whose acts notify, and refuses what this server does not do", async () => {
    const [ann, bob] = [await client(), await client()];
    const path = "/v2/notifications/policy";
    type Policy = Readonly<Record<string, unknown>>;
    const before = await ann.app.get<Policy>(path);
    assert.equal(before["for_not_following"], "accept");
    assert.equal(before["for_limited_accounts"], "drop");
    for (const word of ["filter", "maybe"])
      await ann.app.refused("PATCH", path, 422, /accept or drop/, {
        for_not_following: word,
      });
    await ann.app.refused("PUT", path, 422, /must be drop/, {
      for_limited_accounts: "accept",
    });
    assert.deepEqual(await ann.app.get(path), before);
    await ann.app.patch(path, { for_not_following: "drop" });
    assert.equal(
      (await ann.app.get<Policy>(path))["for_not_following"],
      "drop",
    );
    await bob.app.write(`hey @${ann.who.username}`);
    await kith().settle();
    assert.deepEqual(await ann.app.get("/v1/notifications"), []);
    await ann.app.put(path, { for_not_following: "accept" });
    assert.deepEqual(await ann.app.get(path), before);
  });

  test("markers keep how far each list is read", async () => {
    const ann = await client();
    const bob = await client();
    type Markers = Record<string, { last_read_id: string; version: number }>;
    const get = () =>
      ann.app.get<Markers>(
        "/v1/markers?timeline[]=home&timeline[]=notifications",
      );
    assert.equal((await get())["notifications"]?.last_read_id, "0");
    await bob.app.post(`/v1/accounts/${ann.id}/follow`);
    await kith().settle();
    const [notice] = await ann.app.get<LoadedNotice[]>("/v1/notifications");
    await ann.app.post("/v1/markers", {
      home: { last_read_id: "9007199254740990" },
      notifications: { last_read_id: notice?.id },
    });
    const form = new URLSearchParams({ "home[last_read_id]": "5" });
    const saved = await ann.app.post<Markers>("/v1/markers", form);
    assert.deepEqual(
      [saved["home"]?.last_read_id, saved["home"]?.version],
      ["5", 2],
    );
    assert.equal((await get())["notifications"]?.last_read_id, notice?.id);
    const unread = await ann.app.get<{ count: number }>(
      "/v1/notifications/unread_count",
    );
    assert.equal(unread.count, 0, "the pages see it, too");
  });

  test("a picture is uploaded, described, published and shown to whom its post is", async () => {
    const [ann, bob, eve] = [await client(), await client(), await client()];
    await bob.app.post(`/v1/accounts/${ann.id}/follow`);
    const bytes = await picture(1_200, 600).png().toBuffer();
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(bytes)]), "file");
    form.append("description", "a wall");
    form.append("focus", "0.5,-0.25");
    const media = await ann.app.post<MediaRecord>("/v2/media", form);
    assert.equal(media.description, "a wall");
    assert.deepEqual(media.meta.focus, { x: 0.5, y: -0.25 });
    assert.equal((await fetch(media.preview_url)).status, 200);
    await bob.app.notFound("GET", `/v1/media/${media.id}`);
    const described = await ann.app.put<MediaRecord>(`/v1/media/${media.id}`, {
      description: "a red wall",
    });
    assert.equal(described.description, "a red wall");
    const status = await ann.app.write("", {
      media_ids: [media.id],
      visibility: "private",
    });
    assert.equal(status.content, "");
    const seen = await bob.app.get<StatusRecord>(`/v1/statuses/${status.id}`);
    const [shown] = seen.media_attachments;
    assert.equal((await fetch(shown?.url ?? "")).status, 200);
    await eve.app.notFound("GET", `/v1/statuses/${status.id}`);
    await ann.app.refused(
      "DELETE",
      `/v1/media/${media.id}`,
      422,
      /currently used/,
    );
    const edited = await ann.app.put<StatusRecord>(
      `/v1/statuses/${status.id}`,
      {
        status: "now with words",
        media_ids: [media.id],
        media_attributes: [{ id: media.id, description: "bricks" }],
      },
    );
    assert.equal(edited.media_attachments[0]?.description, "bricks");
    const empty = new FormData();
    await ann.app.refused("POST", "/v2/media", 422, /File/, empty);
  });

  test("sounds and videos are ready at once, with what players ask for", async () => {
    const ann = await client();
    const send = (name: RecordingName) => {
      const form = new FormData();
      const bytes = Uint8Array.from(readRecording(name));
      form.append("file", new Blob([bytes]), "file.bin");
      form.append("description", name);
      return ann.app.post<MediaRecord & { url: string; type: string }>(
        "/v2/media",
        form,
      );
    };
    for (const [name, type] of [
      ["video.mp4", "video"],
      ["silent.mp4", "gifv"],
      ["vp9.webm", "video"],
      ["sound.mp3", "audio"],
      ["opus.ogg", "audio"],
    ] as const) {
      const media = await send(name);
      assert.equal(media.type, type, name);
      const { original = {} } = media.meta as { original?: Played };
      assert.ok(Math.abs((original.duration ?? 0) - 1) < 0.12, name);
      assert.ok((original.bitrate ?? 0) > 1000, name);
      assert.deepEqual(
        [original.width, original.height],
        type === "audio" ? [undefined, undefined] : [64, 48],
      );
      if (type !== "audio")
        assert.match(original.frame_rate ?? "", /^\d+\/100$/);
      const part = await fetch(media.url, { headers: { range: "bytes=0-9" } });
      assert.equal(part.status, 206);
      assert.match(part.headers.get("content-type") ?? "", /^(video|audio)\//);
      assert.equal(
        (await ann.app.get<MediaRecord>(`/v1/media/${media.id}`)).description,
        name,
      );
      const status = await ann.app.write("", { media_ids: [media.id] });
      assert.equal(status.media_attachments[0]?.id, media.id);
    }
    const form = new FormData();
    form.append("file", new Blob([Uint8Array.from(readRecording("hevc.mp4"))]));
    await ann.app.refused("POST", "/v2/media", 422, /H\.264/, form);
    const { configuration } = await ann.app.get<{
      configuration: {
        media_attachments: {
          supported_mime_types: string[];
          video_size_limit: number;
          video_frame_rate_limit: number;
          video_matrix_limit: number;
        };
      };
    }>("/v2/instance");
    const limits = configuration.media_attachments;
    assert.ok(limits.supported_mime_types.includes("video/mp4"));
    assert.deepEqual(
      [
        ...[limits.video_size_limit, limits.video_frame_rate_limit],
        limits.video_matrix_limit,
      ],
      [40 * 1024 * 1024, 120, 3840 * 2160],
    );
  });

  test("a poll is asked and answered once", async () => {
    const [ann, bob] = [await client(), await client()];
    const status = await ann.app.write("Tea or *coffee*?", {
      poll: { options: ["tea", "coffee"], expires_in: 3_600, multiple: false },
    });
    const { poll } = status;
    assert.deepEqual(
      poll?.options.map(({ title }) => title),
      ["tea", "coffee"],
    );
    assert.doesNotMatch(status.content ?? "", /coffee.*coffee/);
    const votes = `/v1/polls/${poll?.id}/votes`;
    const refused = (error: RegExp, choices: string[]) =>
      bob.app.refused("POST", votes, 422, error, { choices });
    await refused(/The chosen vote option does not exist/, ["7"]);
    await refused(/Choose one answer/, ["0", "1"]);
    const voted = await bob.app.post<PollRecord>(votes, { choices: ["1"] });
    assert.deepEqual(
      [voted.voted, voted.own_votes, voted.options[1]?.votes_count],
      [true, [1], 1],
    );
    await refused(/You have already voted on this poll/, ["1"]);
    kith().clock.advance(3_700_000);
    const ended = await ann.app.get<PollRecord>(`/v1/polls/${poll?.id}`);
    assert.deepEqual([ended.expired, ended.voted], [true, false]);
  });

  test("favourites and bookmarks are listed, newest first", async () => {
    const [ann, bob] = [await client(), await client()];
    const one = await ann.app.write("one");
    const two = await ann.app.write("two");
    const reply = await ann.app.write("re", { in_reply_to_id: one.id });
    for (const { id } of [two, reply, one])
      await bob.app.post(`/v1/statuses/${id}/favourite`);
    for (const { id } of [two, one])
      await bob.app.post(`/v1/statuses/${id}/bookmark`);
    const idsOf = async (path: string) =>
      (await bob.app.get<StatusRecord[]>(path)).map(({ id }) => id);
    assert.deepEqual(await idsOf("/v1/favourites"), [one.id, reply.id, two.id]);
    assert.deepEqual(await idsOf("/v1/bookmarks"), [one.id, two.id]);
    assert.deepEqual(await idsOf(`/v1/bookmarks?max_id=${one.id}`), [two.id]);
    assert.deepEqual(await idsOf(`/v1/bookmarks?since_id=${two.id}`), [one.id]);
    const likers = await ann.app.get<AccountRecord[]>(
      `/v1/statuses/${reply.id}/favourited_by`,
    );
    assert.deepEqual(
      likers.map(({ id }) => id),
      [String(bob.id)],
    );
  });

  test("private messages are conversations", async () => {
    const [ann, bob] = [await client(), await client()];
    type Talk = {
      id: string;
      unread: boolean;
      accounts: AccountRecord[];
      last_status: StatusRecord;
    };
    const start = await ann.app.write(`hi @${bob.who.username}`, {
      visibility: "direct",
      spoiler_text: "about tea",
    });
    assert.equal(start.spoiler_text, "about tea");
    const answer = await bob.app.write("hello", { in_reply_to_id: start.id });
    assert.equal(answer.visibility, "direct");
    assert.deepEqual(
      answer.mentions.map(({ acct }) => acct),
      [ann.who.username],
    );
    const [talk] = await ann.app.get<Talk[]>("/v1/conversations");
    assert.equal(talk?.unread, true);
    assert.equal(talk.last_status.id, answer.id);
    assert.deepEqual(
      talk.accounts.map(({ id }) => id),
      [String(bob.id)],
    );
    const path = `/v1/conversations/${talk.id}`;
    const read = await ann.app.post<Talk>(`${path}/read`);
    assert.equal(read.unread, false);
    await ann.app.delete(path);
    assert.deepEqual(await ann.app.get("/v1/conversations"), []);
    assert.equal((await bob.app.get<Talk[]>("/v1/conversations")).length, 1);
    const eve = await client();
    await eve.app.notFound("DELETE", path);
  });

  test("filters hide or mark what is read, in both versions", async () => {
    const [ann, bob] = [await client(), await client()];
    type Filter = {
      id: string;
      title: string;
      keywords: { id: string; keyword: string; whole_word: boolean }[];
    };
    const filter = await ann.app.post<Filter>("/v2/filters", {
      title: "no sport",
      context: ["thread", "public"],
      filter_action: "warn",
    });
    const path = `/v2/filters/${filter.id}`;
    const added = await ann.app.post<{ id: string }>(`${path}/keywords`, {
      keyword: "football",
      whole_word: true,
    });
    const { id } = await bob.app.write("football again");
    const seen = await ann.app.get<StatusRecord>(`/v1/statuses/${id}`);
    assert.equal(seen.filtered?.[0]?.filter.title, "no sport");
    assert.deepEqual(seen.filtered[0].keyword_matches, ["football"]);
    const old =
      await ann.app.get<{ id: string; phrase: string }[]>("/v1/filters");
    assert.deepEqual(
      old.map((it) => [it.id, it.phrase]),
      [[added.id, "football"]],
    );
    const changed = await ann.app.put<Filter>(path, {
      filter_action: "hide",
      keywords_attributes: [
        { id: added.id, _destroy: true },
        { keyword: "again" },
      ],
    });
    assert.deepEqual(
      changed.keywords.map(({ keyword }) => keyword),
      ["again"],
    );
    const [kept] = changed.keywords;
    await ann.app.put(`/v2/filters/keywords/${kept?.id}`, { keyword: "anew" });
    await bob.app.notFound("GET", path);
    await bob.app.notFound("DELETE", `/v2/filters/keywords/${kept?.id}`);
    const phrase = await ann.app.post<{ id: string }>("/v1/filters", {
      phrase: "quiz",
      context: ["home"],
      irreversible: true,
    });
    await ann.app.put(`/v1/filters/${phrase.id}`, {
      phrase: "quizzes",
      context: ["home"],
    });
    await ann.app.delete(path);
    const left = await ann.app.get<Filter[]>("/v2/filters");
    assert.deepEqual(
      left.map(({ keywords }) => keywords[0]?.keyword),
      ["quizzes"],
    );
  });
});
