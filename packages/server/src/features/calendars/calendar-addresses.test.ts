import assert from "node:assert/strict";
import { test } from "node:test";
import { newGuid } from "../../lib/guids.ts";
import { hideSecretCalendars } from "./calendar-addresses.ts";

test("logs do not contain the secret addresses of calendars", () => {
  const at = `https://kith.example/calendars/${newGuid()}`;
  const line = (end: string) =>
    `{"url":"${at}/${end}","msg":"GET ${at}/${end} failed"}`;
  assert.equal(
    hideSecretCalendars(line(`${"a-_B".repeat(11)}.ics`)),
    line("[secret]"),
  );
  const harmless = `{"url":"${at}.ics","msg":"nothing"}`;
  assert.equal(hideSecretCalendars(harmless), harmless);
});
