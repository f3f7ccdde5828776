import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { browsing } from "../support/sign-in/second-factor.ts";

type AppPasswordRecord = {
  readonly ID: number;
  readonly Name: string;
  readonly CreatedAt: string;
  readonly LastUsedAt?: string;
};
type NewRecord = AppPasswordRecord & { readonly Password: string };

const PATH = "/app_passwords";
const FORM = { name: "Phone", password: PASSWORD };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("an app password is shown once, and is nowhere in clear", async () => {
    const ann = await kith().person();
    const made = await ann.post<NewRecord>(PATH, FORM);
    assert.match(made.Password, /^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/);
    const [listed, ...others] = await ann.get<AppPasswordRecord[]>(PATH);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [listed?.ID, listed?.Name, listed?.LastUsedAt],
      [made.ID, "Phone", undefined],
    );
    const rows = await kith()
      .db.read.selectFrom("app_passwords")
      .selectAll()
      .execute();
    const secret = made.Password.replaceAll("-", "");
    for (const form of [made.Password, secret])
      assert.ok(!JSON.stringify(rows).includes(form));
  });

  test("it takes the account's password, a name, and is one of at most fifty", async () => {
    const ann = await kith().person();
    const wrong = { form: { ...FORM, password: "wrong" } };
    await ann.unauthorized("POST", PATH, wrong);
    const long = { form: { ...FORM, name: "n".repeat(51) } };
    await ann.badRequest("POST", PATH, long);
    for (let n = 0; n < 50; n += 1) await ann.post(PATH, FORM);
    await ann.refused("POST", PATH, { form: FORM }, 409, "Conflict");
  });

  test("it is revoked by its owner alone", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { ID } = await ann.post<NewRecord>(PATH, FORM);
    await bob.notFound("DELETE", `${PATH}/${ID}`);
    assert.equal((await ann.get<AppPasswordRecord[]>(PATH)).length, 1);
    await ann.delete(`${PATH}/${ID}`);
    assert.deepEqual(await ann.get(PATH), []);
    await ann.notFound("DELETE", `${PATH}/${ID}`);
  });

  test("a new password of the account ends it", async () => {
    const ann = await kith().person();
    await ann.post(PATH, FORM);
    await ann.call("PUT", "/users/password", {
      form: {
        ...{ current_password: PASSWORD, password: "another one" },
        confirm: "another one",
      },
    });
    const left = await kith()
      .db.read.selectFrom("app_passwords")
      .innerJoin("users", "users.id", "app_passwords.user_id")
      .where("users.username", "=", ann.username)
      .select("app_passwords.id")
      .execute();
    assert.deepEqual(left, []);
  });

  test("the security page makes, lists and revokes them", async () => {
    const user = await browsing(kith(), "carla");
    const made = await user.change("app_passwords", { app_name: "Laptop <3" });
    assert.equal(made.status, 200);
    const [secret = assert.fail()] =
      /[a-z2-7]{4}(-[a-z2-7]{4}){5}/.exec(made.text) ?? [];
    assert.match(made.text, /<code>carla<\/code>/);
    const page = await user.see();
    assert.ok(page.text.includes("Laptop &lt;3"));
    assert.ok(!page.text.includes(secret));
    const [, id = ""] =
      /name="app_password"\s+value="(\d+)"/.exec(page.text) ?? [];
    const wrong = { app_password: id, password: "wrong" };
    assert.equal(
      (await user.change("app_passwords/remove", wrong)).status,
      401,
    );
    const blank = await user.change("app_passwords", { app_name: " " });
    assert.equal(blank.status, 400);
    const gone = await user.change("app_passwords/remove", {
      app_password: id,
    });
    assert.equal(gone.status, 302);
    assert.ok(!(await user.see()).text.includes("Laptop"));
  });
});
