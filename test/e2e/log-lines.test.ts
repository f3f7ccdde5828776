import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiClient } from "../support/api-client.ts";
import { KithProcess } from "../support/kith-process.ts";

const start = (settings: Readonly<Record<string, string>>) =>
  KithProcess.start({
    database: "sqlite",
    protocols: "diaspora",
    settings: { KITH_LOG_LEVEL: "info", KITH_ACCESS_LOG: "true", ...settings },
  });

const PASSWORD = "correct horse";

type Made = {
  readonly ID: number;
  readonly SecretURL: string;
  readonly Password: string;
};

/** Requests with secrets in each of their parts. @returns the secrets */
async function visit({ baseUrl }: KithProcess): Promise<readonly string[]> {
  const client = await ApiClient.signUp(baseUrl, "ann");
  const { token } = client;
  await client.get("/posts");
  await fetch(`${baseUrl}/api/v0/posts?access_token=${token}&q=mysecretword`);
  await fetch(`${baseUrl}/nowhere/mysecretpath?code=mysecretcode`);
  await fetch(`${baseUrl}/dav/`, {
    method: "PROPFIND",
    headers: { authorization: `Basic ${btoa(`ann:${PASSWORD}`)}` },
  });
  const { ID } = (await client.post("/calendar", { name: "mine" })) as Made;
  const addresses = (await client.post(
    `/calendar/${ID}/addresses/secret`,
    {},
  )) as Made;
  const secretUrl = new URL(addresses.SecretURL);
  assert.equal((await fetch(baseUrl + secretUrl.pathname)).status, 200);
  const program = (await client.post("/app_passwords", {
    ...{ name: "phone", password: PASSWORD },
  })) as Made;
  await fetch(`${baseUrl}/dav/`, {
    method: "PROPFIND",
    headers: { authorization: `Basic ${btoa(`ann:${program.Password}`)}` },
  });
  await fetch(`${baseUrl}/users/password/mysecretreset?token=mysecretreset`);
  await fetch(`${baseUrl}/users/sign_in`, {
    method: "POST",
    body: new URLSearchParams({ username: "ann", password: "mysecrettypo" }),
  });
  return [
    ...[program.Password, secretUrl.pathname.split("/").at(-1) ?? ""],
    ...["mysecretreset", "mysecrettypo"],
    ...[token, PASSWORD, btoa(`ann:${PASSWORD}`)],
    ...["mysecretword", "mysecretpath", "mysecretcode"],
  ];
}

function assertWithout(output: string, secrets: readonly string[]): void {
  for (const secret of secrets)
    assert.ok(!output.includes(secret), `${secret} in ${output}`);
}

describe("the lines of a server", () => {
  test("are JSON from the first to the last where no terminal reads them", async () => {
    const kith = await start({});
    try {
      const secrets = await visit(kith);
      assert.equal(await kith.stop(), 0);
      const lines = kith.output.trim().split("\n");
      const records = lines.map(
        (line) => JSON.parse(line) as Record<string, unknown>,
      );
      const messages = records.map(({ msg }) => String(msg));
      assert.match(messages.join("\n"), /Kith is at http/);
      assert.match(messages.at(-1) ?? "", /Kith has stopped/);
      for (const { level, time } of records) {
        assert.equal(typeof level, "number");
        assert.match(String(time), /^\d{4}-\d\d-\d\dT/);
      }
      const asked = records.filter(({ msg }) => msg === "request");
      const posts = asked.find(({ route }) => route === "/api/v0/posts");
      assert.equal(posts?.["method"], "GET");
      assert.equal(posts["status"], 200);
      assert.equal(typeof posts["ms"], "number");
      assert.equal(typeof posts["bytes"], "number");
      assert.match(String(posts["requestId"]), /^[0-9a-f-]{36}$/);
      assert.ok(
        asked.some(({ route, status }) => route === "none" && status === 404),
      );
      assertWithout(kith.output, secrets);
    } finally {
      await kith.remove();
    }
  });

  test("are words for people if that is chosen", async () => {
    const kith = await start({ KITH_LOG_FORMAT: "human" });
    try {
      const secrets = await visit(kith);
      assert.equal(await kith.stop(), 0);
      assert.doesNotMatch(kith.output, /^\{/m);
      assert.match(kith.output, /^Kith is at http/m);
      assert.match(kith.output, /INFO.*request/);
      assert.match(kith.output, /route: "\/api\/v0\/posts"/);
      assertWithout(kith.output, secrets);
    } finally {
      await kith.remove();
    }
  });

  test("say nothing of requests unless that is chosen", async () => {
    const kith = await start({ KITH_ACCESS_LOG: "false" });
    try {
      await visit(kith);
      assert.equal(await kith.stop(), 0);
      assert.doesNotMatch(kith.output, /"msg":"request"/);
    } finally {
      await kith.remove();
    }
  });
});
