import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import {
  OWN_GUID,
  TIMESTAMP,
  type AspectRecord,
  type PersonRecord,
  type ProfileRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a person here is found by handle, however it is typed", async () => {
    const ann = await kith().person({ handle: "ann" });
    const found = await ann.post<PersonRecord>("/search", {
      handle: ann.handle,
    });
    assert.deepEqual(Object.keys(found), [
      "ID",
      "CreatedAt",
      "UpdatedAt",
      "Guid",
      "Author",
      "SerializedPublicKey",
      "UserID",
      "Profile",
    ]);
    assert.equal(found.Author, `ann@${kith().host}`);
    assert.match(found.Guid, OWN_GUID);
    assert.match(found.CreatedAt, TIMESTAMP);
    assert.match(found.SerializedPublicKey, /^-----BEGIN PUBLIC KEY-----\n/);
    assert.equal(typeof found.UserID, "number");
    for (const handle of [
      ` ${ann.handle} `,
      `@${ann.handle}`,
      `acct:${ann.handle}`,
      ann.handle.toUpperCase(),
    ])
      assert.deepEqual(await ann.post("/search", { handle }), found, handle);
  });

  test("an invalid or unknown handle finds no one", async () => {
    const bea = await kith().person();
    const nobody = [
      `nobody@${kith().host}`,
      "nobody@localhost:1",
      "bea",
      "@",
      "a@",
      "a@b@c",
      "a b@localhost",
      "'; drop table people; --",
      "x".repeat(5000),
      "../../etc/passwd@localhost",
      "a@[::1",
      "a@localhost:99999",
    ];
    for (const handle of nobody)
      await bea.notFound("POST", "/search", { form: { handle } });
    for (const handle of ["", "  ", "\n"])
      await bea.blank("POST", "/search", { form: { handle } });
    await bea.blank("POST", "/search");
    await bea.badRequest("POST", "/search", { form: { handle: "a\0@b" } });
  });

  test("a person is shown by id and by Guid", async () => {
    const [cara, dave] = [await kith().person(), await kith().person()];
    const { record } = dave;
    for (const key of [record.ID, record.Guid]) {
      assert.deepEqual(await cara.get(`/people/${key}`), record);
      const profile = await cara.get<ProfileRecord>(`/people/${key}/profile`);
      assert.deepEqual(profile, record.Profile);
      assert.equal(profile.PersonID, record.ID);
      assert.equal(profile.Author, dave.handle);
      assert.equal(profile.Birthday, null);
    }
    for (const key of [0, -1, 999_999, "abc", "0".repeat(32), "9".repeat(300)])
      for (const below of ["", "/profile", "/stream", "/aspects"])
        await cara.notFound("GET", `/people/${key}${below}`);
  });

  test("a profile says that a program posts there", async () => {
    const [fay, gil] = [await kith().person(), await kith().person()];
    const path = `/people/${fay.record.ID}/profile`;
    const isBot = async () => (await gil.get<ProfileRecord>(path)).Bot;
    const set = async (form: Record<string, string>) =>
      (await fay.put<ProfileRecord>("/profile", form)).Bot;
    assert.equal(await isBot(), undefined);
    assert.equal(await set({ Bot: "true" }), true);
    assert.equal(await set({ FirstName: "Fay" }), true);
    assert.equal(await isBot(), true);
    const selected = await gil.get(path, { fields: "Bot" });
    assert.deepEqual(selected, { Bot: true });
    const page = await fetch(`${kith().baseUrl}/u/${fay.username}`);
    assert.match(await page.text(), /program posts here/);
    const before = await kith().snapshot();
    for (const Bot of ["maybe", "2", " "])
      await fay.badRequest("PUT", "/profile", { form: { Bot, Bio: "x" } });
    assert.deepEqual(await kith().snapshot(), before);
    assert.equal(await set({ Bot: "false" }), undefined);
    assert.equal(await isBot(), undefined);
  });

  test("a profile stores changed fields, and keeps the others", async () => {
    const eve = await kith().person();
    const profile = await eve.put<ProfileRecord>("/profile", {
      FirstName: " Eve ",
      LastName: "Adams",
      Bio: "line\r\nbreak",
      Birthday: "1984-02-29",
      Gender: "x",
      Location: "Weißer Hirsch 🦌",
      Searchable: false,
      Nsfw: "on",
    });
    assert.deepEqual(pick(profile), {
      FirstName: "Eve",
      LastName: "Adams",
      FullName: "Eve Adams",
      Bio: "line\nbreak",
      Birthday: "1984-02-29",
      Gender: "x",
      Location: "Weißer Hirsch 🦌",
      Searchable: false,
      Nsfw: true,
    });
    const changed = await eve.put<ProfileRecord>("/profile", {
      FirstName: "",
      Birthday: "",
    });
    assert.equal(changed.FullName, "Adams");
    assert.equal(changed.Birthday, null);
    assert.equal(changed.Bio, "line\nbreak");
    assert.equal(changed.Searchable, false);
    const { Guid } = eve.record;
    // Only the answer to a change contains the visibility settings.
    const shown = Object.entries(changed).filter(
      ([name]) => !/^(?:Bio|Birthday|Gender|Location)For$/.test(name),
    );
    assert.deepEqual(
      await eve.get(`/people/${Guid}/profile`),
      Object.fromEntries(shown),
    );
  });

  test("a profile refuses values that other servers would refuse", async () => {
    const finn = await kith().person();
    const refused = [
      { FirstName: "x".repeat(33) },
      { LastName: "🦌".repeat(33) },
      { FirstName: "a;b" },
      { LastName: ";" },
      { Gender: "x".repeat(256) },
      { Location: "x".repeat(256) },
      { Bio: "x".repeat(65_536) },
      { Birthday: "1984-02-30" },
      { Birthday: "29.2.1984" },
      { Birthday: "1984-2-9" },
      { Birthday: "1984-02-29T00:00:00Z" },
      { Searchable: "yes" },
      { Nsfw: 2 },
      { Bio: "a\0b" },
    ];
    for (const form of refused)
      await finn.badRequest("PUT", "/profile", { form });
    const json = { FirstName: 5 };
    await finn.badRequest("PUT", "/profile", { json });
    const limit = { FirstName: "🦌".repeat(32), Bio: "x".repeat(65_535) };
    const profile = await finn.put<ProfileRecord>("/profile", limit);
    assert.equal(profile.FirstName, limit.FirstName);
    assert.equal(profile.Bio.length, 65_535);
  });

  test("private details are visible to contacts", async () => {
    const hans = await kith().person();
    const inge = await kith().person();
    await hans.put("/profile", {
      FirstName: "Hans",
      Bio: "secret",
      BioFor: "contacts",
      Gender: "m",
      Location: "here",
      Birthday: "2000-01-01",
    });
    const path = `/people/${hans.record.ID}`;
    const look = async () => {
      const profile = await inge.get<ProfileRecord>(`${path}/profile`);
      const person = await inge.get<PersonRecord>(path);
      const found = await inge.post<PersonRecord>("/search", {
        handle: hans.handle,
      });
      assert.deepEqual(person.Profile, profile);
      assert.deepEqual(found.Profile, profile);
      return profile;
    };
    const hidden = await look();
    assert.equal(hidden.FirstName, "Hans");
    assert.equal(hidden.Bio + hidden.Gender + hidden.Location, "");
    assert.equal(hidden.Birthday, null);
    const mine = await inge.post<AspectRecord>("/aspects", { name: "a" });
    await inge.post(`${path}/aspects/${mine.ID}`);
    assert.equal(
      (await look()).Bio,
      "",
      "sharing with somebody reveals naught",
    );
    const aspect = await hans.post<AspectRecord>("/aspects", { name: "a" });
    const member = `/people/${inge.record.ID}/aspects/${aspect.ID}`;
    await hans.post(member);
    const seen = await look();
    assert.equal(seen.Bio, "secret");
    assert.equal(seen.Birthday, "2000-01-01");
    await hans.call("DELETE", member);
    assert.equal((await look()).Bio, "");
    const own = await hans.get<ProfileRecord>(`${path}/profile`);
    assert.equal(own.Location, "here");
  });
});

function pick(profile: ProfileRecord) {
  const { FirstName, LastName, FullName, Bio, Birthday } = profile;
  const { Gender, Location, Searchable, Nsfw } = profile;
  const names = { FirstName, LastName, FullName };
  return { ...names, Bio, Birthday, Gender, Location, Searchable, Nsfw };
}
