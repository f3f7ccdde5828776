import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../features/accounts/index.ts";
import type { PersonId, UserId } from "../../features/ids.ts";
import { checkCsrf, csrfField } from "./csrf.ts";
import { toText } from "./html.ts";

const session: Session = {
  user: {
    userId: 1 as UserId,
    personId: 1 as PersonId,
    username: "alice",
    role: "user",
  },
  csrfToken: "right",
  settings: { locale: "en", timeZone: "UTC" },
};

test("the form's own field is accepted", () => {
  const [, name = "", value = ""] =
    /name="(.*)" value="(.*)"/.exec(toText(csrfField(session))) ?? [];
  assert.equal(value, "right");
  assert.doesNotThrow(() => checkCsrf(session, { [name]: value }));
});

test("nothing else is", () => {
  for (const value of [undefined, "", "wrong", "righ", "right ", ["right"], 1])
    assert.throws(() => checkCsrf(session, { csrf_token: value }), {
      code: "forbidden",
    });
});
