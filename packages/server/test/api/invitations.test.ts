import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { runInvitationCommand } from "../../src/cli/commands/invitation-commands.ts";
import { newUser, visitor } from "../support/pages/visit.ts";
import type { ApiClient } from "../support/server/api-client.ts";
import {
  actsSince,
  lastAct,
  member,
  signUpAs,
} from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

type Made = { ID: number; Url: string; State: string; ExpiresAt: string };
type Listed = { ID: number; By: string; State: string; Uses: number };
type Account = { Username: string; State: string; InvitedBy: string | null };

const REFUSED = '{"error":"The invitation is not valid"}';

function codeOf({ Url }: Pick<Made, "Url">): string {
  return new URL(Url).searchParams.get("invitation") ?? "";
}

forEachDatabase((kind) => {
  describe("with closed registration, when admins invite", () => {
    const kith = useKith(kind, { env: { KITH_REGISTRATION: "closed" } });
    let boss: ApiClient;
    let plain: ApiClient;
    before(async () => {
      boss = await member(kith(), "boss", "admin");
      plain = await member(kith(), "plain");
    });

    const invite = (wanted: Record<string, string> = {}) =>
      boss.post<Made>("/invitations", wanted);

    const stateOf = async ({ ID }: { ID: number }) =>
      (await boss.get<Listed[]>("/admin/invitations", { limit: "100" })).find(
        (it) => it.ID === ID,
      )?.State;

    test("a link signs one person up, whose inviter is recorded", async () => {
      const made = await invite();
      assert.ok(made.Url.startsWith(`${kith().baseUrl}/users/sign_up?`));
      const stored = await kith()
        .db.read.selectFrom("invitations")
        .selectAll()
        .execute();
      assert.ok(!JSON.stringify(stored).includes(codeOf(made)));
      assert.equal(
        (await fetch(`${kith().baseUrl}/users/sign_up`)).status,
        403,
      );
      const page = await (await fetch(made.Url)).text();
      assert.match(page, /name="invitation"/);
      assert.match(page, /name="robots" content="noindex"/);
      const invitation = codeOf(made);
      const { status, text } = await signUpAs(kith(), "ada", { invitation });
      assert.equal(status, 302, text);
      assert.ok((await kith().token("ada")).token);
      const [ada] = await boss.get<Account[]>("/admin/accounts", {
        name: "ada",
      });
      assert.deepEqual([ada?.State, ada?.InvitedBy], ["active", "boss"]);
      assert.equal(await stateOf(made), "used_up");
    });

    test("of twenty who come at once with a code for one account, one gets it", async () => {
      const made = await invite();
      const invitation = codeOf(made);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          signUpAs(kith(), `crowd${n}`, { invitation }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [302, ...Array<number>(19).fill(403)]);
      const accounts = await boss.get<Account[]>("/admin/accounts", {
        name: "crowd",
        limit: "100",
      });
      assert.equal(accounts.length, 1);
    });

    test("a wrong, old, used or revoked code is refused in the same way, and changes nothing", async () => {
      const [old, used, revoked] = [
        await invite({ days: "1" }),
        await invite({ uses: "2" }),
        await invite(),
      ];
      for (const name of ["one", "two"])
        await signUpAs(kith(), name, { invitation: codeOf(used) });
      await boss.delete(`/invitations/${revoked.ID}`);
      kith().clock.advance(DAY_MS);
      const unchanged = await kith().snapshot();
      const codes = [old, used, revoked].map(codeOf);
      for (const invitation of [
        ...codes,
        "wrong",
        " ",
        "%00",
        "x".repeat(999),
      ]) {
        const form = { invitation };
        const { status, text } = await signUpAs(kith(), "late", form);
        assert.equal(`${status} ${text}`, `403 ${REFUSED}`, invitation);
        const query = new URLSearchParams(form).toString();
        const page = await visitor(kith().baseUrl).get(
          `/users/sign_up?${query}`,
        );
        assert.equal(page.status, 403);
        assert.match(page.text, /This invitation does not work/);
      }
      assert.deepEqual(await kith().snapshot(), unchanged);
      const states = [old, used, revoked].map(stateOf);
      assert.deepEqual(await Promise.all(states), [
        ...["expired", "used_up", "revoked"],
      ]);
    });

    test("an invalid form does not use up the invitation", async () => {
      const invitation = codeOf(await invite());
      const more = { invitation, password: "short" };
      assert.equal((await signUpAs(kith(), "careless", more)).status, 422);
      const taken = await signUpAs(kith(), "boss", { invitation });
      assert.equal(taken.status, 422);
      const { status } = await signUpAs(kith(), "careless", { invitation });
      assert.equal(status, 302);
    });

    test("the code of a deleted account is invalid", async () => {
      await member(kith(), "leaver", "admin");
      const { features } = kith().server;
      const account = await features.accounts.find("leaver");
      assert.ok(account);
      const by = { userId: account.id, username: "leaver", role: "admin" };
      const { code } = await features.invitations.create(by);
      await kith().db.transaction((tx) =>
        features.accounts.closeMoved(tx, account.id),
      );
      const { status } = await signUpAs(kith(), "orphan", { invitation: code });
      assert.equal(status, 403);
    });

    test("only admins invite here, for 1 to 1000 accounts and 1 to 365 days", async () => {
      // A day has gone by: the use of each token is noted again.
      for (const one of [boss, plain]) await one.get("/aspects");
      await plain.refused("POST", "/invitations", {}, 403, "Forbidden");
      await plain.refused("GET", "/invitations", {}, 403, "Forbidden");
      const { ID } = await invite({ uses: "1000", days: "365" });
      await plain.refused("DELETE", `/invitations/${ID}`, {}, 403, "Forbidden");
      for (const form of [
        ...[{ uses: "0" }, { uses: "1001" }, { days: "0" }, { days: "366" }],
        { uses: "many" },
      ])
        await boss.badRequest("POST", "/invitations", { form });
      const gone = "/admin/invitations/999999";
      await boss.refused("DELETE", gone, {}, 404, "Not found");
    });

    test("the command line invites, lists and revokes; each is written down once", async () => {
      const lines: string[] = [];
      const { invitations } = kith().server.features;
      const run = (words: string[], options = {}) =>
        runInvitationCommand(
          { invitations, baseUrl: kith().baseUrl },
          words,
          { json: false, yes: false, ...options },
          (line) => {
            lines.push(line);
          },
        );
      const before = await lastAct(kith());
      await run(["create"], { uses: "2", days: "3" });
      const [link = "", says = ""] = lines.splice(0);
      assert.match(says, /^It makes 2 accounts until /);
      assert.equal((await fetch(link)).status, 200);
      await run(["list"]);
      const [, newest = ""] = lines.splice(0);
      const [id = "", by, state, uses] = newest.split("\t");
      assert.deepEqual([by, state, uses], ["command line", "open", "0/2"]);
      await run(["revoke", id]);
      await run(["revoke", id]);
      assert.equal((await fetch(link)).status, 403);
      for (const [words, options] of [
        [["create"], { uses: "0" }],
        [["create"], { days: "x" }],
        [["create", "more"], {}],
        [["revoke", "999999"], {}],
        [["revoke", "x"], {}],
        [["burn"], {}],
      ] as const)
        await assert.rejects(run([...words], options), /invitation/);
      assert.deepEqual(await actsSince(kith(), before), [
        `command line: invitation.create ${id}`,
        `command line: invitation.revoke ${id}`,
      ]);
    });
  });

  describe("where approval is needed, and users invite", () => {
    const env = { KITH_REGISTRATION: "approval", KITH_INVITATIONS: "users" };
    const kith = useKith(kind, { env });

    test("an invited person needs no approval, and people see and revoke only their own invitations", async () => {
      const ann = await member(kith(), "ann");
      const bob = await member(kith(), "bob");
      const made = await ann.post<Made>("/invitations");
      const invitation = codeOf(made);
      await signUpAs(kith(), "cleo", { invitation, reason: "not needed" });
      const cleo = await kith().server.features.accounts.find("cleo");
      assert.equal(cleo?.state, "active");
      const record = await kith().server.features.administration.get(cleo.id);
      assert.deepEqual([record.reason, record.invitedBy], [null, "ann"]);
      const second = await ann.post<Made>("/invitations");
      assert.deepEqual(await bob.get("/invitations"), []);
      await bob.notFound("DELETE", `/invitations/${second.ID}`);
      await ann.delete(`/invitations/${second.ID}`);
      const own = await ann.get<Listed[]>("/invitations");
      assert.deepEqual(
        own.map(({ State }) => State),
        ["revoked", "used_up"],
      );
    });

    test("one person invites ten at once and ten in a day, admins as many as they like", async () => {
      const eve = await member(kith(), "eve");
      const refuse = (uses: string, status: number, error: string) =>
        eve.refused("POST", "/invitations", { form: { uses } }, status, error);
      await refuse("11", 409, "Conflict");
      const made = await eve.post<Made>("/invitations", { uses: "10" });
      await refuse("1", 409, "Conflict");
      // Taken back, it counts for the day.
      await eve.delete(`/invitations/${made.ID}`);
      await refuse("1", 429, "Too many requests");
      kith().clock.advance(24 * 3_600_000);
      await eve.delete(
        `/invitations/${(await eve.post<Made>("/invitations")).ID}`,
      );
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => eve.call("POST", "/invitations")),
      );
      const taken = answers.filter(({ status }) => status === 200);
      assert.equal(taken.length, 9);
      const boss = await member(kith(), "chief", "admin");
      for (const uses of ["1000", "1000"])
        await boss.post<Made>("/invitations", { uses });
    });

    test("the page of one's own invitations works without script", async () => {
      const dan = await newUserOf("dan");
      const profile = await dan.get("/u/dan");
      assert.match(profile.text, /href="\/invitations"/);
      const other = await dan.get("/u/ann");
      assert.ok(!other.text.includes('href="/invitations"'));
      const { csrf_token } = dan;
      const wrong = await dan.post("/invitations/create", {
        ...{ csrf_token, uses: "0" },
      });
      assert.equal(wrong.status, 422);
      assert.match(wrong.text, /role="alert"/);
      const made = await dan.post("/invitations/create", { csrf_token });
      const [, link = ""] = /class="secret">([^<]+)</.exec(made.text) ?? [];
      assert.equal((await fetch(link)).status, 200);
      const list = await dan.get("/invitations");
      assert.ok(!list.text.includes(new URL(link).search));
      const [, id = ""] = /name="id" value="(\d+)"/.exec(list.text) ?? [];
      await dan.post("/invitations/revoke", { csrf_token, id });
      assert.equal((await fetch(link)).status, 403);
    });

    const newUserOf = async (username: string) => {
      await member(kith(), username);
      return newUser(kith().baseUrl, username);
    };
  });

  describe("where invitations are off", () => {
    const kith = useKith(kind, {
      env: { KITH_REGISTRATION: "closed", KITH_INVITATIONS: "off" },
    });

    test("no one can create an invitation", async () => {
      const boss = await member(kith(), "boss", "admin");
      await boss.refused("POST", "/invitations", {}, 403, "Forbidden");
      const { invitations } = kith().server.features;
      await assert.rejects(invitations.create(null), { code: "forbidden" });
      assert.equal(await invitations.isUsable("anything"), false);
    });
  });
});
