import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { assertError } from "../support/server/api-client.ts";
import { assertRefusal, Attacker } from "../support/scenes/attacker.ts";
import {
  BODY_ATTACKS,
  PATH_ATTACKS,
  QUERY_ATTACKS,
  under,
  WRONG_BODIES,
  type Attack,
} from "../support/scenes/attacks.ts";
import { forDatabasesInTime } from "../support/scenes/long-run.ts";
import { useKith } from "../support/server/kith-server.ts";
import { sendRaw } from "../support/server/raw-http.ts";
import { fillPath } from "../support/server/routes.ts";

/** The requirements for a call to reach its route. */
const SOME_FORM = {
  type: "application/x-www-form-urlencoded",
  body: "name=x&comment=x&answer=1&status=accepted&text=x&role=user&title=x&keyword=x&context=home&reply=confirmed&color=%23DC143C&message=x&on=true",
};

/** The forms of pages that take files. */
const KEEP_TEXTS: ReadonlySet<string> = new Set([
  ...["/home", "/write", "/messages", "/messages/:guid"],
  ...["/posts/:guid/comments", "/settings/profile", "/stream"],
]);

const WITH_FORMS = ["token", "grant", "oauth", "page"] as const;

/** Valid tags are not attacks on a route for tags. */
function isTag(value: string): boolean {
  return /^[\w-]{1,255}$/.test(value);
}

forDatabasesInTime((kind) => {
  const kith = useKith(kind);
  let attacker: Attacker;
  before(async () => {
    attacker = await Attacker.create(kith());
  });

  test("every route is of a family that is attacked here", () => {
    const found = attacker.targets();
    assert.ok(found.length > 60, String(found.length));
    const families = new Set(found.map(({ family }) => family));
    assert.equal(families.size, 11);
  });

  describe("bodies", () => {
    for (const one of BODY_ATTACKS) {
      test(one.name, () =>
        attacker.attack([...WITH_FORMS, "challenge"], async (target) => {
          if (target.method === "GET") return;
          const answer = await attacker.send(
            target,
            attacker.pathOf(target),
            one,
          );
          assertRefusal(target, answer, one.name);
          // A page's limit may be smaller than what is wrong with the body, and
          // that of a form with a picture larger.
          const takesFile =
            target.method !== "DELETE" &&
            (target.family === "token"
              ? /\/(import|photos|picture|profile|v0\/imports)$/.test(
                  target.path,
                )
              : target.path === "/admin/server/picture");
          const isForm = one.type?.startsWith("multipart/") ?? false;
          // A form that is read as it comes waits for a session.
          // So do those whose texts are kept for when its sender has signed in.
          const asksFirst =
            target.path === "/settings/imports" ||
            (target.method === "POST" &&
              one.status === 413 &&
              KEEP_TEXTS.has(target.path));
          if (isForm && asksFirst)
            assert.equal(answer.status, 401, target.name);
          else if (takesFile && isForm)
            assert.equal(answer.status, 400, target.name);
          else if (
            !["page", "challenge"].includes(target.family) ||
            answer.status !== 413
          )
            assert.equal(answer.status, one.status, target.name);
        }),
      );
      test(`${one.name}, to another server's door`, () =>
        attacker.attack(["inbox", "outbox", "receive"], async (target) => {
          const answer = await attacker.send(
            target,
            attacker.pathOf(target),
            one,
          );
          if (one.status === 413) assert.equal(answer.status, 413);
          else if (one.malformedType && target.family !== "receive")
            assert.equal(answer.status, 415);
          else if (target.path === "/receive/public")
            assert.equal(`${answer.status}${answer.text}`, "202");
          else {
            assertRefusal(target, answer, one.name);
            const expected = target.family === "receive" ? 404 : 415;
            assert.equal(answer.status, expected, target.name);
          }
        }));
    }
  });

  test("queries", () =>
    attacker.attack(
      [
        ...(["token", "grant", "oauth", "inbox", "outbox"] as const),
        ...(["receive", "document", "page"] as const),
      ],
      async (target) => {
        for (const query of QUERY_ATTACKS) {
          const path = `${attacker.pathOf(target)}?${query}`;
          const answer = await attacker.send(target, path);
          assertRefusal(target, answer, query.slice(0, 40));
          assert.equal(answer.status, 400, target.name);
        }
      },
    ));

  test("bodies and queries of programs", () =>
    attacker.attack(["program"], async (target) => {
      const assertRefused = async (path: string, attack?: Attack) => {
        const { status, text } = await attacker.send(target, path, attack);
        const label = `${target.name} ${attack?.name ?? path}: ${status} ${text}`;
        assert.ok([400, 413, 415, 422].includes(status), label);
        assert.match(text, /^\{"error":"[^"]/, label);
      };
      const path = attacker.pathOf(target);
      if (target.method !== "GET")
        for (const one of BODY_ATTACKS) await assertRefused(path, one);
      for (const query of QUERY_ATTACKS)
        await assertRefused(`${path}?${query}`);
    }));

  test("parts of paths", () =>
    attacker.attack(
      ["token", "inbox", "outbox", "receive", "document", "page"],
      async (target) => {
        if (!target.path.includes(":")) return;
        for (const { value, isAddress } of PATH_ATTACKS) {
          if (target.path.includes(":tag") && isTag(value)) continue;
          const path = fillPath(target.path, {}, value);
          const form = target.method === "GET" ? undefined : SOME_FORM;
          const answer = await attacker.send(target, path, form);
          if (target.path === "/people/:guid/stream" && isAddress) {
            const page = answer.headers.get("location") ?? "/people/";
            assert.match(page, /^\/people\/[^/]*$/);
          }
          assertRefusal(target, answer, value.slice(0, 40));
          const isSign = target.path.endsWith(":positive");
          const expected = isAddress && !isSign ? [404, 415] : [400, 404];
          if (value.length > 1000) expected.push(414);
          // Without a session a form or a part asks to sign in, whatever it names.
          const isOfSession =
            target.method === "POST" ||
            /^\/parts\/|\/(edit|delete)$/.test(target.path);
          if (target.family === "page" && isOfSession) expected.push(401);
          assert.ok(
            expected.includes(answer.status),
            `${target.name} ${value.slice(0, 40)} ${answer.status}`,
          );
        }
      },
    ));

  test("wrong types under every name", () =>
    attacker.attack(WITH_FORMS, async (target) => {
      if (target.method === "GET") return;
      for (const { value, withCommon } of WRONG_BODIES) {
        // The names that every call reads are those of the service API.
        if (withCommon && target.family !== "token") continue;
        const body = under(value, withCommon);
        const type = "application/json";
        const answer = await attacker.send(target, attacker.pathOf(target), {
          type,
          body,
        });
        const { status } = answer;
        if (target.family === "token" && withCommon)
          assert.equal(status, 400, `${target.name} ${value.slice(0, 40)}`);
        // Parameters that a route does not read have no effect.
        const ignores =
          (target.path.endsWith("/notifications") && status === 200) ||
          (target.family === "page" && status === 302);
        if (!ignores) assertRefusal(target, answer, value.slice(0, 40));
      }
    }));

  test("wrong numbers and selectors in the query of every call", () =>
    attacker.attack(["token"], async (target) => {
      const wrong = ["offset=-1", "offset=x", "offset=1e400", "limit=0"];
      wrong.push("limit=101", "offset=9007199254740993", "fields=(");
      wrong.push("offset=1&offset=2", "fields=ID&fields=ID", "limit=%00");
      wrong.push("offset=0x10", "fields=ID%00", "fields=%F0%9F%A6%8C");
      for (const query of wrong) {
        const answer = await attacker.send(
          target,
          `${attacker.pathOf(target)}?${query}`,
        );
        const what = `${target.name} ${query}`;
        assertError(answer, 400, "Bad request", what);
      }
    }));

  test("tokens that are none", () =>
    attacker.attack(["token"], async (target) => {
      const tokens = ["", " ", "x", "0".repeat(64), "a".repeat(5000), "%00"];
      tokens.push(`${attacker.person.token}0`, "é", "null", "' or 1=1 --");
      for (const token of tokens) {
        const sent = { headers: { access_token: token } };
        const path = attacker.pathOf(target).replace(/^\/api\/v0/, "");
        const client = kith().anonymous;
        const byHeader = await client.call(target.method, path, sent);
        assertError(byHeader, 401, "Unauthorized", target.name);
        const query = { access_token: token.replace("%00", "\0") };
        const byQuery = await client.call(target.method, path, { query });
        assertError(byQuery, 401, "Unauthorized", target.name);
      }
    }));

  test("activities that are none", () =>
    attacker.attack(["inbox", "outbox"], async (target) => {
      const type = "application/activity+json";
      const bodies = BODY_ATTACKS.filter(({ name }) => name.startsWith("JSON"));
      const more = ["", "{}", '{"type":"Create"}', '{"actor":"x"}'];
      more.push('{"type":"Like","actor":"javascript:alert(1)","object":"x"}');
      more.push(`{"type":"Follow","actor":${"[".repeat(9)}${"]".repeat(9)}}`);
      for (const body of [...bodies.map((it) => it.body), ...more]) {
        const answer = await attacker.send(target, attacker.pathOf(target), {
          type,
          body,
        });
        assertRefusal(target, answer, String(body).slice(0, 40));
        assert.equal(answer.status, 400, String(body).slice(0, 40));
      }
      if (target.family === "outbox") return;
      const actor = "https://example.org/users/eve";
      const unsigned = JSON.stringify({
        "@context": "https://www.w3.org/ns/activitystreams",
        id: `${actor}/likes/1`,
        type: "Like",
        actor,
        object: `${kith().baseUrl}/api/v1/ap/object/${"0".repeat(32)}`,
      });
      const answer = await attacker.send(target, attacker.pathOf(target), {
        type,
        body: unsigned,
      });
      assertError(answer, 401, "Unauthorized", target.name);
    }));

  test("requests that are cut off, or no HTTP at all", async () => {
    const unchanged = await kith().snapshot();
    for (const target of attacker.targets()) {
      const { method } = target;
      const head = `${method} ${attacker.pathOf(target)} HTTP/1.1\r\nhost: localhost\r\naccess_token: ${attacker.person.token}\r\n`;
      for (const rest of [
        "content-type: application/json\r\ncontent-length: 999\r\n\r\n{",
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "content-length: 1\r\ncontent-length: 2\r\n\r\n",
        "no header at all\r\n\r\n",
        `x-long: ${"x".repeat(40_000)}\r\n\r\n`,
      ]) {
        const answer = await sendRaw(kith().baseUrl, head + rest);
        assert.doesNotMatch(answer, /^HTTP\/1\.1 5/, `${target.name} ${rest}`);
      }
    }
    await sendRaw(kith().baseUrl, Buffer.from([22, 3, 1, 0, 0xff, 0, 13, 10]));
    assert.deepEqual(await kith().snapshot(), unchanged);
    assert.equal((await attacker.person.call("GET", "/posts")).text, "[]");
  });
});
