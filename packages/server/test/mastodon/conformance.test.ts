import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { findFault } from "../support/mastodon/entity-schemas.ts";
import { createScopedApp } from "../support/mastodon/scoped-app.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { picture } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { ROWS, type Named, type Row } from "./rows.ts";

/** Answered by a call of its own, for want of a body that JSON can have. */
const ELSEWHERE = new Set([
  ...["POST /v1/media", "POST /v2/media"],
  // By the token of an app alone: sign-up.test.ts.
  "POST /v1/accounts",
]);
/** Rows that end what another row needs. */
const ENDED = new Set([
  "POST /v1/follow_requests/:id/reject",
  "POST /v1/notifications/:id/dismiss",
  "DELETE /v1/filters/:id",
  "DELETE /v1/featured_tags/:id",
]);
/** Asked for by nobody in the table. */
const BESIDE = new Set([
  "GET /v1/accounts",
  "GET /v1/trends",
  // With its dates: test/e2e/pages-look.test.ts.
  "GET /v1/instance/terms_of_service/:date",
  "GET /v1/notifications/requests/merged",
]);

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let names: Readonly<Record<Named, string>> & { readonly acct: string };
  let me: MastodonClient;
  let token: string;

  before(async () => {
    const who = await kith().person();
    token = who.token;
    me = MastodonClient.of(kith(), who);
    names = await makeWorld(who.record.ID, me, async () => {
      const other = await kith().person();
      return {
        ...{ id: other.record.ID, acct: other.username },
        app: MastodonClient.of(kith(), other),
      };
    });
  });

  async function makeWorld(
    ownId: number,
    app: MastodonClient,
    meet: () => Promise<{ id: number; acct: string; app: MastodonClient }>,
  ): Promise<typeof names> {
    const { serverProfile } = kith().server.features;
    await serverProfile.save(null, { terms: "Be fair." });
    const [other, asker] = [await meet(), await meet()];
    const status = await other.app.write("a status #row");
    const mine = await app.write("my status");
    await other.app.post(`/v1/statuses/${mine.id}/favourite`);
    await app.write(`hi @${other.acct}`, { visibility: "direct" });
    const followed = await meet();
    await app.post(`/v1/accounts/${followed.id}/follow`);
    await app.patch("/v1/accounts/update_credentials", { locked: true });
    await asker.app.post(`/v1/accounts/${ownId}/follow`);
    await kith().settle();
    const notices =
      await app.get<{ id: string; type: string }[]>("/v1/notifications");
    const grouped = await app.get<{
      notification_groups: { group_key: string; type: string }[];
    }>("/v2/notifications");
    const [talk] = await app.get<{ id: string }[]>("/v1/conversations");
    const filter = await app.post<{ id: string; keywords: { id: string }[] }>(
      "/v2/filters",
      {
        ...{ title: "t", context: ["home"] },
        keywords_attributes: [{ keyword: "first" }, { keyword: "second" }],
      },
    );
    const upload = new FormData();
    const bytes = await picture(60, 60).png().toBuffer();
    upload.append("file", new Blob([new Uint8Array(bytes)]), "file");
    const at = (hours: number) =>
      new Date(kith().clock.now().getTime() + hours * 3_600_000).toISOString();
    const idOf = async (made: Promise<{ id: string }>) => (await made).id;
    return {
      me: String(ownId),
      ...{ other: String(other.id), asker: String(asker.id) },
      followed: String(followed.id),
      ...{ acct: other.acct, status: status.id, mine: mine.id },
      private: mine.id,
      filtered: await idOf(
        app.post(`/v2/filters/${filter.id}/statuses`, { status_id: status.id }),
      ),
      quoting: await idOf(
        other.app.write("look", { quoted_status_id: mine.id }),
      ),
      media: await idOf(app.post("/v2/media", upload)),
      poll: await idOf(
        other.app.write("Which?", {
          poll: { options: ["a", "b"], expires_in: 3_600 },
        }),
      ),
      list: await idOf(app.post("/v1/lists", { title: "a list" })),
      notice: notices.find(({ type }) => type === "favourite")?.id ?? "",
      group:
        grouped.notification_groups.find(({ type }) => type === "favourite")
          ?.group_key ?? "",
      filter: filter.id,
      keyword: filter.keywords[0]?.id ?? "",
      talk: talk?.id ?? "",
      scheduled: await idOf(app.write("later", { scheduled_at: at(1) })),
      announcement: String(
        (
          await kith().server.features.announcements.publish(null, {
            text: "Tea at *five*",
          })
        ).id,
      ),
      later: at(2),
    };
  }

  const fill = (template: string): string =>
    template.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => names[name as Named],
    );
  const pathOf = ({ path, id, below, name, query }: Row): string =>
    path
      .replace(":name", name ?? "row")
      .replace(/:\w+/, id ? names[id] : "1")
      .replace(/:\w+/, below ? names[below] : "1") +
    (query ? `?${fill(query)}` : "");
  const bodyOf = ({ body }: Row) =>
    body && (JSON.parse(fill(JSON.stringify(body))) as typeof body);

  for (const row of ROWS)
    test(`${row.method} ${row.path}`, async () => {
      const answer = await me.call(row.method, pathOf(row), bodyOf(row));
      if (row.answer === "unsupported") {
        assert.equal(answer.status, 404, answer.text);
        assert.equal(answer.text, '{"error":"Not found"}');
        return;
      }
      assert.equal(answer.status, 200, answer.text);
      assert.equal(findFault(row.answer, answer.json), undefined);
    });

  test("every route has a row, and every row a route", () => {
    const { routes } = createScopedApp(kith());
    const served = routes.map(({ method, path }) => `${method} ${path}`);
    const rows = ROWS.filter(({ answer }) => answer !== "unsupported");
    const named = rows.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(
      named.filter((row) => !served.includes(row)),
      [],
    );
    const known = new Set([...named, ...ELSEWHERE, ...ENDED, ...BESIDE]);
    const others = served.filter((route) => !known.has(route));
    // They are for moderators: admin.test.ts asks for all of them.
    assert.deepEqual(
      others.filter((route) => !/ \/v[12]\/admin\//.test(route)),
      [],
    );
  });

  describe("the scope of each call", () => {
    for (const row of ROWS.filter(({ answer }) => answer !== "unsupported")) {
      const name = `${row.method} ${row.path}`;
      test(`${name}: ${row.isPublic ? "no token" : String(row.scope)}`, async () => {
        const bare = await MastodonClient.of(kith()).call(
          row.method,
          row.path.replaceAll(/:\w+/g, "1"),
        );
        if (row.isPublic) assert.notEqual(bare.status, 401, bare.text);
        else
          assert.equal(
            `${bare.status} ${bare.text}`,
            '401 {"error":"The access token is invalid"}',
          );
        const wrong = new MastodonClient(kith().baseUrl, "0".repeat(64));
        const refused = await wrong.call(
          row.method,
          row.path.replaceAll(/:\w+/g, "1"),
        );
        assert.equal(refused.status, 401);
      });
    }

    test("the scopes of a token", async () => {
      const app = createScopedApp(kith());
      for (const { method, path, scope, answer } of ROWS) {
        if (answer === "unsupported" || scope === "any") continue;
        const any = typeof scope === "string" ? [scope] : scope;
        const url = `/api${path.replaceAll(/:\w+/g, "0")}`;
        for (const granted of any)
          assert.notEqual(
            await app.statusOf(method, url, token, [granted]),
            403,
            `${method} ${path} with ${granted}`,
          );
        const others = app.scopes.filter((it) => !any.includes(it));
        assert.equal(
          await app.statusOf(method, url, token, others),
          403,
          `${method} ${path} without ${any.join()}`,
        );
      }
    });
  });
});
