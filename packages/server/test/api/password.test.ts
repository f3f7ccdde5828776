import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";

const NEW = "a longer passphrase";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const path = "/users/password";

  const canSignIn = async (username: string, password: string) => {
    const form = { grant_type: "password", username, password, client_id: "x" };
    const answer = await kith().anonymous.call("POST", "/oauth/tokens", {
      form,
    });
    return answer.status === 200;
  };

  const openSession = async (username: string): Promise<string> => {
    const response = await fetch(`${kith().baseUrl}/users/sign_in`, {
      method: "POST",
      body: new URLSearchParams({ username, password: PASSWORD }),
      redirect: "manual",
    });
    assert.equal(response.status, 302);
    return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  };

  const isSignedIn = async (cookie: string): Promise<boolean> => {
    const response = await fetch(`${kith().baseUrl}/home`, {
      headers: { cookie, accept: "text/html" },
      redirect: "manual",
    });
    await response.text();
    return response.status === 200;
  };

  test("a new password takes the place of the old one", async () => {
    const ann = await kith().person();
    const form = { current_password: PASSWORD, password: NEW };
    assert.deepEqual(await ann.put(path, form), {});
    assert.equal(await canSignIn(ann.username, PASSWORD), false);
    assert.equal(await canSignIn(ann.username, NEW), true);
  });

  test("sessions and all other tokens end, those of others stay", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const stolen = await kith().token(ann.username, "stolen");
    const cookie = await openSession(ann.username);
    const others = await openSession(bob.username);
    assert.equal(await isSignedIn(cookie), true);
    await ann.put(path, { current_password: PASSWORD, password: NEW });
    assert.equal(await isSignedIn(cookie), false);
    assert.equal(await isSignedIn(others), true);
    await kith().anonymous.with(stolen.token).unauthorized("GET", "/aspects");
    assert.deepEqual(await ann.get("/aspects"), []);
    assert.deepEqual(await bob.get("/aspects"), []);
  });

  test("a wrong or blank password, or a new one that is too short or too long, changes nothing", async () => {
    const ann = await kith().person();
    const put = (current_password: string, password: string) => ({
      form: { current_password, password },
    });
    await ann.unauthorized("PUT", path, put("wrong", NEW));
    await ann.unauthorized("PUT", path, put(`${PASSWORD} `, NEW));
    await ann.badRequest("PUT", path, put(PASSWORD, "short"));
    await ann.badRequest("PUT", path, put(PASSWORD, "x".repeat(1025)));
    await ann.blank("PUT", path, put("", NEW));
    await ann.blank("PUT", path, put(PASSWORD, "      "));
    await ann.blank("PUT", path, { form: { password: NEW } });
    await ann.blank("PUT", path, { form: { current_password: PASSWORD } });
    const anonymous = kith().anonymous;
    await anonymous.unauthorized("PUT", path, put(PASSWORD, NEW));
    assert.equal(await canSignIn(ann.username, PASSWORD), true);
  });

  test("six characters are enough, in any encoding length", async () => {
    const ann = await kith().person();
    const password = "🦊🦊🦊🦊🦊🦊";
    await ann.put(path, { current_password: PASSWORD, password });
    assert.equal(await canSignIn(ann.username, password), true);
  });

  test("of many changes at once one is made", async () => {
    const ann = await kith().person();
    const wanted = Array.from({ length: 6 }, (_, i) => `password ${i}`);
    const answers = await Promise.all(
      wanted.map((password) =>
        ann.call("PUT", path, {
          form: { current_password: PASSWORD, password },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.ok(statuses.every((status) => [200, 401].includes(status)));
    const winner = wanted[statuses.indexOf(200)] ?? "";
    for (const password of wanted)
      assert.equal(
        await canSignIn(ann.username, password),
        password === winner,
      );
  });
});
