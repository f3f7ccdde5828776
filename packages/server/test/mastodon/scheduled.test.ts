import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type MediaRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

type Scheduled = {
  readonly id: string;
  readonly params: { readonly poll: { readonly expires_in: number } | null };
  readonly media_attachments: readonly MediaRecord[];
};

const HOUR_S = 3_600;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  const inHours = (hours: number) =>
    new Date(kith().clock.now().getTime() + hours * HOUR_MS).toISOString();
  const schedule = (app: MastodonClient, body: Record<string, unknown>) =>
    app.post<Scheduled>("/v1/statuses", { visibility: "public", ...body });
  const publishedBy = async (app: MastodonClient) => {
    await kith().settle();
    const [status] = await app.get<StatusRecord[]>("/v1/timelines/home");
    return status ?? assert.fail("nothing published");
  };

  test("the poll of a scheduled status takes its time from when that is published", async () => {
    const { app } = await meet();
    const poll = { options: ["Tea", "Coffee"], expires_in: HOUR_S };
    const waiting = await schedule(app, {
      ...{ status: "Which?", poll, scheduled_at: inHours(48) },
    });
    assert.equal(waiting.params.poll?.expires_in, HOUR_S);
    const path = `/v1/scheduled_statuses/${waiting.id}`;
    const sooner = await app.put<Scheduled>(path, { scheduled_at: inHours(2) });
    assert.equal(sooner.params.poll?.expires_in, HOUR_S);
    const moved = inHours(72);
    await app.put<Scheduled>(path, { scheduled_at: moved });
    kith().clock.advance(72 * HOUR_MS + 60_000);
    const status = await publishedBy(app);
    const lastsMs =
      Date.parse(status.poll?.expires_at ?? "") - Date.parse(status.created_at);
    assert.ok(Math.abs(lastsMs - HOUR_MS) < 60_000, `${lastsMs} ms`);
    assert.equal(status.poll?.expired, false);
  });

  test("a picture without a text is scheduled, and published at its time", async () => {
    const { app } = await meet();
    const { id } = await app.upload();
    const waiting = await schedule(app, {
      ...{ status: "", media_ids: [id], scheduled_at: inHours(1) },
    });
    await app.put(`/v1/scheduled_statuses/${waiting.id}`, {
      scheduled_at: inHours(2),
    });
    kith().clock.advance(2 * HOUR_MS + 60_000);
    const status = await publishedBy(app);
    assert.deepEqual(
      [status.content, status.media_attachments.map((it) => it.id)],
      ["", [id]],
    );
  });

  test("a picture of a scheduled status is not deleted while that waits", async () => {
    const { app } = await meet();
    const { id } = await app.upload();
    const path = `/v1/media/${id}`;
    const waiting = await schedule(app, {
      ...{ status: "soon", media_ids: [id], scheduled_at: inHours(1) },
    });
    await app.refused("DELETE", path, 422, /used by a status/);
    await app.delete(`/v1/scheduled_statuses/${waiting.id}`);
    await app.delete(path);
    await app.notFound("GET", path);
  });
});
