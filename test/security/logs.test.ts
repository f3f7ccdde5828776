import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hideSharedAddresses } from "../../packages/server/src/features/photos/index.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  PASSWORD,
  startKith,
  type KithServer,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  befriend,
  settleAll,
} from "../../packages/server/test/support/remote/several-servers.ts";

const PRIVATE = "only for friends 5b1d";
const PRIVATE_COMMENT = "only between us 77ac";

forEachDatabase((kind) => {
  for (const protocols of ["activitypub", "diaspora"])
    describe(`logs of all levels, over ${protocols}`, () => {
      const lines: string[] = [];
      const write = (line: string): void => void lines.push(line);
      let servers: KithServer[] = [];
      before(async () => {
        const log = createLog("trace", hideSharedAddresses, { write });
        const env = { KITH_PROTOCOLS: protocols, KITH_ACCESS_LOG: "true" };
        const options = { env, log };
        servers = [
          await startKith(kind, options),
          await startKith(kind, options),
        ];
      });
      after(() => Promise.all(servers.map((server) => server.close())));

      test("contain neither secrets nor user texts, even on failures", async () => {
        const [here, there] = servers;
        assert.ok(here && there);
        const secrets = [PASSWORD, PRIVATE, PRIVATE_COMMENT, "PRIVATE KEY"];
        const ann = await here.person({ handle: "ann" });
        const bob = await there.person({ handle: "bob" });
        secrets.push((await here.token("ann", "another")).token);
        const signedIn = await fetch(`${here.baseUrl}/users/sign_in`, {
          method: "POST",
          body: new URLSearchParams({ username: "ann", password: PASSWORD }),
          redirect: "manual",
        });
        const cookie = signedIn.headers.getSetCookie()[0] ?? "";
        const session = /=([^;]{10,})/.exec(cookie)?.[1];
        assert.ok(session, "a session was begun");
        secrets.push(session);

        const aspectID = String(await befriend(ann, bob.handle));
        await befriend(bob, ann.handle);
        await settleAll(servers);
        const form = { post: PRIVATE, aspectID };
        const { Guid } = await ann.post<{ Guid: string }>("/posts", form);
        await settleAll(servers);
        const comment = { comment: PRIVATE_COMMENT };
        await bob.post(`/posts/${Guid}/comments`, comment);
        await settleAll(servers);
        const list = await ann.get<object[]>(`/posts/${Guid}/comments`);
        assert.equal(list.length, 1, "it went there and back");

        await goWrong(here, there, secrets);
        await settleAll(servers);
        assert.ok(lines.length > 10, "something was logged");
        for (const secret of secrets)
          for (const line of lines)
            assert.ok(!line.includes(secret), `${secret} in ${line}`);
      });

      test("every warning and error has the id of its request or job", () => {
        const records = lines.map(
          (line) => JSON.parse(line) as Record<string, unknown>,
        );
        const failed = records.filter(({ level }) => Number(level) >= 40);
        assert.notEqual(failed.length, 0, "something has failed");
        for (const record of failed)
          assert.ok(
            typeof record["requestId"] === "string" ||
              (typeof record["job"] === "number" &&
                typeof record["kind"] === "string"),
            JSON.stringify(record),
          );
        // A job says as well which request it follows from.
        const asked = new Set(
          records
            .filter(({ msg }) => msg === "request")
            .map(({ requestId }) => requestId),
        );
        const jobs = failed.filter(({ job }) => job !== undefined);
        const origins = jobs.flatMap(({ requestId }) => requestId ?? []);
        assert.notEqual(origins.length, 0, "a job follows from a request");
        for (const origin of origins) assert.ok(asked.has(origin));
      });
    });
});

/** Requests and jobs that fail in the database while they handle secrets. */
async function goWrong(
  here: KithServer,
  there: KithServer,
  secrets: readonly string[],
): Promise<void> {
  await here.db.transaction((tx) =>
    tx.schema.alterTable("comments").renameTo("comments_away").execute(),
  );
  const posts = await here.db.read.selectFrom("posts").select("guid").execute();
  const [token = ""] = secrets.slice(4);
  for (const { guid } of posts) {
    const answer = await fetch(
      `${here.baseUrl}/api/v0/posts/${guid}/comments?access_token=${token}`,
      {
        method: "POST",
        headers: { access_token: token },
        body: new URLSearchParams({ comment: PRIVATE_COMMENT }),
      },
    );
    assert.equal(answer.status, 500);
  }
  const bob = there.anonymous.with((await there.token("bob")).token);
  for (const { guid } of posts)
    await bob.post(`/posts/${guid}/comments`, { comment: PRIVATE_COMMENT });
  await settleAll([there, here]);
  await here.db.transaction((tx) =>
    tx.schema.alterTable("comments_away").renameTo("comments").execute(),
  );
}
