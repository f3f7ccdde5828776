import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { hideSharedAddresses } from "../../packages/server/src/features/photos/index.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { unpack } from "../../packages/server/test/support/scenes/archive.ts";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  dumpDatabase,
  holdsKey,
  privateKeysOf,
} from "../../packages/server/test/support/remote/key-forms.ts";
import {
  startKith,
  type KithServer,
  type TestPerson,
} from "../../packages/server/test/support/server/kith-server.ts";
import {
  befriend,
  settleAll,
} from "../../packages/server/test/support/remote/several-servers.ts";

test("a key is recognized in every format", () => {
  const ed25519 = generateKeyPairSync("ed25519").privateKey;
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const other = generateKeyPairSync("ed25519").privateKey;
  for (const key of [ed25519, rsa]) {
    const der = key.export({ type: "pkcs8", format: "der" });
    const pem = String(key.export({ type: "pkcs8", format: "pem" }));
    const body = pem.replaceAll(/-----.*-----/g, "");
    for (const form of [
      pem,
      body,
      JSON.stringify({ body }),
      der.toString("latin1"),
      ...(["base64", "base64url", "hex"] as const).map((encoding) =>
        der.toString(encoding),
      ),
      `x${Buffer.concat([Buffer.from("before"), der]).toString("base64")}`,
      JSON.stringify(der),
      JSON.stringify(key.export({ format: "jwk" })),
    ]) {
      assert.ok(holdsKey(`before ${form} after`, [other, key]), form);
      if (!form.includes("PRIVATE KEY"))
        assert.equal(holdsKey(form, [other]), false);
    }
  }
});

forEachDatabase((kind) => {
  for (const protocols of ["activitypub", "diaspora"])
    describe(`after a good deal over ${protocols}`, () => {
      const lines: string[] = [];
      /** The whole database at each moment with pending jobs. */
      const dumps: string[] = [];
      const answers: string[] = [];
      let servers: KithServer[] = [];
      const keys: KeyObject[] = [];
      before(async () => {
        const write = (line: string): void => void lines.push(line);
        const log = createLog("trace", hideSharedAddresses, { write });
        const options = { env: { KITH_PROTOCOLS: protocols }, log };
        servers = [
          await startKith(kind, options),
          await startKith(kind, options),
        ];
        const [here, there] = servers;
        assert.ok(here && there);
        const ann = await converse(here, there);
        answers.push(await takeExport(here, ann));
        // Before failures start, while the databases can still be read.
        for (const server of servers)
          keys.push(...(await privateKeysOf(server)));
        keys.push(...(await spoilKeys(here, ann)));
        await note();
      });
      after(() => Promise.all(servers.map((server) => server.close())));

      /** Reads the databases, runs all jobs, and reads them again. */
      async function note(): Promise<void> {
        for (const { db } of servers) dumps.push(await dumpDatabase(db));
        await settleAll(servers);
        for (const { db } of servers) dumps.push(await dumpDatabase(db));
      }

      async function converse(here: KithServer, there: KithServer) {
        const ann = await here.person({ handle: "ann" });
        const bob = await there.person({ handle: "bob" });
        const aspectID = await befriend(ann, bob.handle);
        await befriend(bob, ann.handle);
        await note();
        for (const form of [
          { post: "for friends", aspectID },
          { post: "for all #tag" },
        ]) {
          const { Guid } = await ann.post<{ Guid: string }>("/posts", form);
          await note();
          await bob.post(`/posts/${Guid}/comments`, { comment: "hello" });
          await bob.post(`/posts/${Guid}/likes`);
          await note();
          assert.equal(
            (await ann.get<[]>(`/posts/${Guid}/comments`)).length,
            1,
          );
        }
        await ann.put("/profile", { FirstName: "Ann" });
        await note();
        return ann;
      }

      /** A person whose keys no longer open, and who posts all the same. @returns the keys */
      async function spoilKeys(here: KithServer, ann: TestPerson) {
        const carl = await here.person({ handle: "carl" });
        const userId = carl.record.UserID;
        const of = here.db.read
          .selectFrom("user_keys")
          .selectAll()
          .where("user_id", "=", ann.record.UserID);
        const { user_id, ...others } = await of.executeTakeFirstOrThrow();
        assert.notEqual(user_id, userId);
        await here.db.transaction((tx) =>
          tx
            .updateTable("user_keys")
            .set(others)
            .where("user_id", "=", userId)
            .execute(),
        );
        const [, there] = servers;
        const dora = await there?.person({ handle: "dora" });
        const before = lines.length;
        await befriend(carl, dora?.handle ?? "");
        await note();
        const said = lines.slice(before).join("");
        assert.match(said, /private key \w+ of user \d+ cannot be opened/);
        return there ? privateKeysOf(there) : [];
      }

      test("no private key is in a log, a job, any other row or an export, in any form", () => {
        assert.ok(keys.length >= 6);
        assert.ok(lines.length > 10, "something was logged");
        assert.ok(dumps.some((dump) => dump.includes("sealed:1:")));
        assert.ok(
          dumps.some((dump) => /^ready$/m.test(dump)),
          "jobs wait",
        );
        for (const [name, texts] of Object.entries({ lines, dumps, answers }))
          for (const text of new Set(texts))
            assert.equal(holdsKey(text, keys), false, name);
        for (const text of [...lines, ...answers])
          assert.ok(!text.includes("sealed:1:"), "nor what is sealed");
      });
    });
});

async function takeExport(kith: KithServer, who: TestPerson): Promise<string> {
  const response = await fetch(`${kith.baseUrl}/api/v0/export`, {
    headers: { access_token: who.token },
  });
  assert.equal(response.status, 200);
  const files = await unpack(await response.bytes());
  assert.ok(files.has("account.json"));
  return Buffer.concat([...files.values()]).toString("latin1");
}
