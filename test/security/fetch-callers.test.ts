import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { listProjectFiles, root } from "../../scripts/project-files.ts";

/**
 * Every source that sends requests to other servers, with the test of this folder that passes hostile addresses to it, or
 * the reason why its addresses are not chosen by others. Add a new one to `cases-fetching.test.ts`.
 */
const CALLERS: Readonly<Record<string, string>> = {
  "compose/server.ts": "makes the one guarded fetch of the server",
  "compose/doctor.ts":
    "the command of the operator asks for its own base URL alone",
  "federation/activitypub/authority/fetch-document.ts":
    "cases-fetching.test.ts",
  "federation/activitypub/authority/fetch-own.ts": "cases-fetching.test.ts",
  "federation/activitypub/authority/loop-back.ts":
    "the command of the operator posts to its own inbox alone",
  "federation/activitypub/sending/delivery-protocol.ts":
    "cases-fetching.test.ts",
  "federation/delivery/deliver.ts": "cases-fetching.test.ts",
  "federation/delivery/host-health.ts": "cases-fetching.test.ts",
  "federation/diaspora/fetch/fetch-remote.ts": "cases-fetching.test.ts",
  "federation/diaspora/fetch/find-by-page.ts": "cases-fetching.test.ts",
  "federation/diaspora/fetch/read-stream.ts": "cases-fetching.test.ts",
  "federation/discovery/read-diaspora.ts": "cases-redirects.test.ts",
  "federation/discovery/webfinger.ts": "cases-fetching.test.ts",
  "features/link-previews/read-page.ts": "cases-fetching.test.ts",
  "features/push/send-push.ts": "cases-fetching.test.ts",
  "features/remote-media/fetch-picture.ts": "cases-fetching.test.ts",
  "features/remote-media/fetch-recording.ts": "cases-fetching.test.ts",
  "features/subscribed-calendars/read-calendar.ts": "cases-fetching.test.ts",
  "doctor/examine-base-url.ts":
    "the command of the operator asks for its own base URL alone",
  "doctor/examine-discovery.ts":
    "the command of the operator asks for its own addresses alone",
  "doctor/examine-federation.ts":
    "the command of the operator asks for its own key alone",
  "doctor/examine-media.ts":
    "the command of the operator asks for the host of its own files alone",
  "doctor/examine-proxy.ts":
    "the command of the operator posts to its own base URL alone",
  "observability/trace-fetch.ts":
    "wraps the one guarded fetch of the server, and passes on what others ask of it",
  "federation/peers/request-signed.ts": "cases-fetching.test.ts",
  "federation/peers/read-nodeinfo.ts": "cases-fetching.test.ts",
};

const CALL =
  /\bcreateGuardedFetch\(|\b(?:fetch|https?|request)\.request\(|\brequestSigned\(|(?<!function )\bfetchDocument\(|(?<!function )\bfetch\(url\)/;

test("case 29: every source of requests to other servers is known, and tested with hostile addresses", () => {
  const src = "packages/server/src/";
  const found = listProjectFiles([
    src,
    "packages/activitypub/src",
    "packages/diaspora/src",
  ])
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => !/\.(test|fixture)\.ts$|\/lib\/http-client\//.test(file))
    .filter((file) => CALL.test(readFileSync(path.join(root, file), "utf8")))
    .map((file) => file.replace(src, ""))
    .sort();
  // It gets the fetch function as an argument.
  const handed = ["packages/activitypub/src/resolve-key.ts"];
  assert.deepEqual(
    found.filter((file) => !handed.includes(file)),
    Object.keys(CALLERS).sort(),
  );
  for (const held of Object.values(CALLERS))
    if (held.endsWith(".ts"))
      assert.ok(listProjectFiles([`test/security/${held}`]).length === 1, held);
});
