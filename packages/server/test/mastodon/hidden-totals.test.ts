import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MastodonClient,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { visitor } from "../support/pages/visit.ts";
import { read } from "../support/remote/linked-data.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Scheduled = {
  readonly id: string;
  readonly params: { readonly poll: { readonly hide_totals: boolean } };
};

const HIDDEN = {
  ...{ options: ["Tea", "Coffee"], expires_in: "3600" },
  hide_totals: "true",
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const who = await kith().person();
    return { who, app: MastodonClient.of(kith(), who) };
  };
  const countsOf = ({ poll }: StatusRecord) =>
    poll?.options.map(({ votes_count }) => votes_count);

  test("the counts of a poll are hidden from everyone until it has ended", async () => {
    const [ann, bob] = [await meet(), await meet()];
    const asked = await ann.app.write("Which?", {
      ...{ visibility: "public", poll: HIDDEN },
    });
    const path = `/v1/polls/${asked.poll?.id}`;
    await bob.app.post(`${path}/votes`, { choices: ["1"] });
    const seen = () =>
      Promise.all(
        [ann.app, bob.app, MastodonClient.of(kith())].map((app) =>
          app.get<StatusRecord>(`/v1/statuses/${asked.id}`),
        ),
      );
    const before = await seen();
    for (const status of before) {
      assert.deepEqual(countsOf(status), [null, null]);
      assert.equal(status.poll?.votes_count, 1);
    }
    assert.deepEqual(before[1]?.poll?.own_votes, [1]);
    const guid = asked.url.split("/").at(-1) ?? "";
    const answersOf = async () =>
      (await ann.who.get<PostRecord>(`/posts/${guid}`)).Poll?.Answers.map(
        ({ Votes }) => Votes,
      );
    assert.deepEqual(await answersOf(), [null, null]);
    const page = async () =>
      (await visitor(kith().baseUrl).get(new URL(asked.url).pathname)).text;
    assert.match(await page(), /shown when the poll has ended/);
    assert.doesNotMatch(await page(), /\b1 vote\b|<meter/);
    const sent = async () =>
      (
        (await read(asked.uri))["oneOf"] as {
          replies: { totalItems?: number };
        }[]
      ).map(({ replies }) => replies.totalItems);
    assert.deepEqual(await sent(), [undefined, undefined]);

    kith().clock.advance(2 * HOUR_MS);
    for (const status of await seen())
      assert.deepEqual(countsOf(status), [0, 1]);
    assert.deepEqual(await answersOf(), [0, 1]);
    assert.match(await page(), /\b1 vote\b/);
    assert.deepEqual(await sent(), [0, 1]);
  });

  test("a poll of a scheduled status keeps the choice, and one without an end has none", async () => {
    const { app } = await meet();
    const at = new Date(kith().clock.now().getTime() + HOUR_MS);
    const scheduled = (await app.write("Later?", {
      scheduled_at: at.toISOString(),
      poll: { ...HIDDEN, expires_in: 7_200 },
    })) as unknown as Scheduled;
    assert.equal(scheduled.params.poll.hide_totals, true);
    kith().clock.advance(HOUR_MS + 60_000);
    await kith().settle();
    const [status] = await app.get<StatusRecord[]>("/v1/timelines/home");
    assert.deepEqual(status && countsOf(status), [null, null]);
    const { expires_in: _, ...endless } = HIDDEN;
    await app.refused("POST", "/v1/statuses", 422, /must have an end/, {
      ...{ status: "For ever?", poll: endless },
    });
  });
});
