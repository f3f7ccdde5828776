import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { createLog } from "../../src/observability/log.ts";
import { newUser, visitor } from "../support/pages/visit.ts";
import { watchedLog } from "../support/server/answer-watch.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { fillPath, listRoutes } from "../support/server/routes.ts";

const ACCEPTS = ["text/html", "application/json", "application/activity+json"];
/** The live changes of pages never end. */
const HAS_ITS_OWN_TESTS = /^\/api\/|^\/live$/;

forEachDatabase((kind) => {
  const lines: string[] = [];
  const log = createLog("warn", undefined, { write: (it) => lines.push(it) });
  const kith = useKith(kind, { log });

  const listPages = () =>
    listRoutes(kith().app).filter(({ path }) => !HAS_ITS_OWN_TESTS.test(path));

  test("each page and each form is answered once, for everyone", async () => {
    const { baseUrl } = kith();
    const ann = await newUser(baseUrl, "ann");
    await kith().server.features.administration.setRole(
      null,
      { username: "ann" },
      "admin",
    );
    const values = { username: "ann", guid: "0".repeat(32), name: "x.png" };
    for (const { method, path } of listPages()) {
      const url = fillPath(path, values);
      // Some forms end the session: each gets a new one.
      const user = method === "GET" ? ann : await signInAgain(baseUrl);
      const { csrf_token } = user;
      const form = { csrf_token, password: "correct horse" };
      for (const accept of ACCEPTS)
        for (const it of [user, visitor(baseUrl)])
          if (method === "GET") await it.get(url, { accept });
          else
            for (const fields of [form, {}])
              await it.post(url, fields, { accept });
    }
    assert.deepEqual(lines, []);
  });

  test("a client that hangs up before the answer causes no error", async () => {
    const { port } = new URL(kith().baseUrl);
    for (const { method, path } of listPages())
      for (const body of ["", "content-length: 9\r\n\r\na=1"]) {
        const socket = connect({ host: "localhost", port: Number(port) });
        await once(socket, "connect");
        const head = `${method} ${fillPath(path, {})} HTTP/1.1\r\nhost: x\r\n`;
        socket.write(`${head}${body === "" ? "\r\n" : body}`);
        socket.resetAndDestroy();
        await once(socket, "close");
      }
    // Messages behind them are answered after them.
    assert.equal((await visitor(kith().baseUrl).get("/")).status, 200);
    assert.deepEqual(lines, []);
  });

  let users = 0;
  function signInAgain(baseUrl: string) {
    users += 1;
    return newUser(baseUrl, `user${users}`);
  }
});

test("a second answer to a request fails the run", () => {
  const refused: string[] = [];
  const log = watchedLog({
    checked: () => {},
    refused: (complaint) => refused.push(complaint),
  });
  log.warn("Something else");
  log.warn({ err: { code: "FST_ERR_REP_ALREADY_SENT" } });
  assert.equal(refused.length, 1);
});
