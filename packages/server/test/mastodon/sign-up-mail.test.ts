import assert from "node:assert/strict";
import { test } from "node:test";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { tokenIn, useMailBox } from "../support/mail/mail-box.ts";
import { visitor } from "../support/pages/visit.ts";
import { registerClient, sendForm } from "../support/sign-in/oauth-app.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

const CONFIRM = "/mail/confirm";

forEachDatabase((kind) => {
  const box = useMailBox();
  const kith = useKith(kind, {
    env: {
      get KITH_SMTP_URL() {
        return box.url();
      },
      KITH_MAIL_FROM: "kith@kith.example",
    },
  });

  test("with a mail server, the address of a sign-up by an app is checked and confirmed", async () => {
    const { baseUrl } = kith();
    const { bans, serverProfile } = kith().server.features;
    await serverProfile.save(null, { registration: "open" });
    const { id, secret } = await registerClient(baseUrl, { scopes: "write" });
    const { json } = await sendForm(`${baseUrl}/oauth/token`, {
      ...{ grant_type: "client_credentials", scope: "write" },
      ...{ client_id: id, client_secret: secret },
    });
    const app = new MastodonClient(baseUrl, String(json["access_token"]));
    const asked = (username: string, email?: string) => ({
      ...{ username, password: "correct horse battery", agreement: true },
      ...(email !== undefined && { email }),
    });
    const ban = { kind: "mail_domain", value: "bad.example" } as const;
    await bans.set(null, { ...ban, severity: "no_sign_ups" });
    for (const [email, code] of [
      ["deer", "ERR_INVALID"],
      ["a@b@c", "ERR_INVALID"],
      ["x@bad.example", "ERR_BLOCKED"],
    ] as const) {
      const before = await kith().snapshot();
      const answer = await app.call("POST", "/v1/accounts", asked("m", email));
      assert.equal(answer.status, 422, answer.text);
      const { details } = answer.json as {
        details: Record<string, { error: string }[]>;
      };
      assert.deepEqual(Object.keys(details), ["email"]);
      assert.equal(details["email"]?.[0]?.error, code);
      assert.deepEqual(await kith().snapshot(), before);
    }
    await app.post("/v1/accounts", asked("mailed", "new@mail.example"));
    await app.post("/v1/accounts", asked("silent"));
    await kith().settle();
    const mails = box.to("new@mail.example");
    assert.equal(mails.length, 1);
    const token = tokenIn(mails[0] ?? assert.fail(), CONFIRM);
    const answer = await visitor(baseUrl).post(CONFIRM, { token });
    assert.equal(answer.status, 200);
  });
});
