import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { type Ended, runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";

const OLD = "correct horse";
const NEW = "battery staple";

describe("kith account, beside a running server", () => {
  forEachDatabase((kind) => {
    let kith: KithProcess;
    let oldToken: string;
    before(async () => {
      kith = await KithProcess.start({ database: kind, protocols: "diaspora" });
    });
    after(() => kith.remove());

    const account = (words: string[], input = ""): Promise<Ended> =>
      runKith(["account", ...words], kith.settings, input);

    const askToken = (username: string, password: string): Promise<Response> =>
      fetch(`${kith.baseUrl}/api/v0/oauth/tokens`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "password",
          username,
          password,
          client_id: "test",
        }),
      });

    const useToken = (token: string): Promise<Response> =>
      fetch(`${kith.baseUrl}/api/v0/aspects`, {
        headers: { access_token: token },
      });

    test("create reads the password from the standard input", async () => {
      const { code, output, complaint } = await account(
        ["create", "ada"],
        `${OLD}\nwhat follows is not read\n`,
      );
      assert.equal(code, 0, complaint);
      assert.equal(output, "Created the account ada.\n");
      const answer = await askToken("ada", OLD);
      assert.equal(answer.status, 200);
      oldToken = ((await answer.json()) as { token: string }).token;
      assert.equal((await useToken(oldToken)).status, 200);
      assert.equal((await askToken("ada", NEW)).ok, false);
    });

    test("create explains an invalid name or password", async () => {
      for (const [name, password, reason] of [
        ["ada", OLD, /name is taken/],
        ["not a name", OLD, /1 to 30 characters/],
        ["grace", "short", /at least 6 characters/],
        ["grace", "", /password is needed/],
      ] as const) {
        const input = password === "" ? "" : `${password}\n`;
        const { code, complaint } = await account(["create", name], input);
        assert.equal(code, 2);
        assert.match(complaint, /^kith: [^\n]+\n$/);
        assert.match(complaint, reason);
      }
      const nameless = await account(["create"], OLD);
      assert.equal(nameless.code, 2);
    });

    test("list and promote", async () => {
      const promoted = await account(["promote", "ada"]);
      assert.equal(promoted.output, "ada is now admin.\n");
      assert.equal((await account(["promote", "ada", "king"])).code, 2);
      const { code, output } = await account(["list"]);
      assert.equal(code, 0);
      const rows = output.trimEnd().split("\n");
      assert.deepEqual(
        rows.map((row) => row.split("\t").slice(0, 3)),
        [
          ["name", "role", "state"],
          ["ada", "admin", "active"],
        ],
      );
    });

    test("reset-password ends the old password and every token at once", async () => {
      const { code, output, complaint } = await account(
        ["reset-password", "ada"],
        NEW,
      );
      assert.equal(code, 0, complaint);
      assert.match(output, /every session and token has ended/);
      assert.equal((await useToken(oldToken)).status, 401);
      assert.equal((await askToken("ada", OLD)).ok, false);
      const answer = await askToken("ada", NEW);
      assert.equal(answer.status, 200);
      const { token } = (await answer.json()) as { token: string };
      assert.notEqual(token, oldToken);
      assert.equal((await useToken(token)).status, 200);
    });

    test("reset-password and promote report a missing account", async () => {
      for (const words of [
        ["reset-password", "nobody"],
        ["promote", "nobody"],
      ]) {
        const { code, complaint } = await account(words, `${NEW}\n`);
        assert.equal(code, 2);
        assert.equal(complaint, "kith: There is no account nobody.\n");
      }
      const short = await account(["reset-password", "ada"], "short\n");
      assert.equal(short.code, 2);
      assert.equal((await askToken("ada", NEW)).status, 200);
    });

    test("accounts can be created while no server runs", async () => {
      assert.equal(await kith.stop(), 0, kith.output);
      assert.equal((await account(["create", "grace"], OLD)).code, 0);
      await kith.start();
      assert.equal((await askToken("grace", OLD)).status, 200);
    });
  });
});
