import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";

type ProfileRecord = {
  readonly Bio: string;
  readonly Birthday: string | null;
  readonly Gender: string;
  readonly Location: string;
  readonly Public: boolean;
  readonly BioFor: string;
};

const DETAILS = {
  Bio: "Keeps *bees*",
  Birthday: "1990-02-03",
  Gender: "queer",
  Location: "Utrecht",
};

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const seenBy = async (viewer: TestPerson, person: TestPerson) => {
    const path = `/people/${person.record.ID}/profile`;
    const { Bio, Birthday, Gender, Location } =
      await viewer.get<ProfileRecord>(path);
    return [Bio, Birthday, Gender, Location];
  };
  const actorOf = async (name: string) => {
    const response = await fetch(`${kith().baseUrl}/api/v1/ap/person/${name}`, {
      headers: { accept: "application/activity+json" },
    });
    return (await response.json()) as { readonly summary?: string };
  };
  const pageOf = async (person: TestPerson) => {
    const url = `${kith().baseUrl}/people/${person.record.Guid}`;
    return (await fetch(url, { headers: { accept: "text/html" } })).text();
  };

  test("a new bio is for everyone, the other details for contacts, and each as its owner says", async () => {
    const eve = await kith().person({ handle: "eve" });
    const friend = await kith().person({ handle: "fred" });
    const stranger = await kith().person({ handle: "sven" });
    const { ID } = await eve.post<{ ID: number }>("/aspects", { name: "all" });
    await eve.post(`/people/${friend.record.ID}/aspects/${ID}`);
    const { Bio, Birthday, Gender, Location } = DETAILS;

    const first = await eve.put<ProfileRecord>("/profile", DETAILS);
    assert.equal(`${first.BioFor} ${first.Public}`, "everyone false");
    assert.deepEqual(await seenBy(stranger, eve), [Bio, null, "", ""]);
    const all = [Bio, Birthday, Gender, Location];
    assert.deepEqual(await seenBy(friend, eve), all);
    assert.match((await actorOf("eve")).summary ?? "", /bees/);
    assert.match(await pageOf(eve), /bees/);

    await eve.put("/profile", { BioFor: "nobody", GenderFor: "everyone" });
    assert.deepEqual(await seenBy(stranger, eve), ["", null, "queer", ""]);
    const hidden = ["", Birthday, Gender, Location];
    assert.deepEqual(await seenBy(friend, eve), hidden);
    assert.deepEqual(await seenBy(eve, eve), all);
    assert.equal((await actorOf("eve")).summary, undefined);
    assert.doesNotMatch(await pageOf(eve), /bees/);

    const open = await eve.put<ProfileRecord>("/profile", { Public: true });
    assert.equal(open.Public, true);
    assert.deepEqual(await seenBy(stranger, eve), all);
    const closed = { Public: false, LocationFor: "everyone" };
    const mixed = await eve.put<ProfileRecord>("/profile", closed);
    assert.equal(`${mixed.BioFor} ${mixed.Public}`, "contacts false");
    assert.deepEqual(await seenBy(stranger, eve), ["", null, "", "Utrecht"]);
    assert.deepEqual(await seenBy(friend, eve), all);
    await eve.badRequest("PUT", "/profile", { form: { BioFor: "some" } });
    const unsaid = await eve.put<ProfileRecord>("/profile", { Nsfw: true });
    assert.equal(unsaid.BioFor, "contacts");
  });

  test("nobody is born in the future, wherever it is tomorrow already", async () => {
    const eva = await kith().person({ handle: "eva" });
    const day = (days: number) =>
      new Date(kith().clock.now().getTime() + days * 86_400_000)
        .toISOString()
        .slice(0, 10);
    const refused = await eva.call("PUT", "/profile", {
      form: { Birthday: day(2) },
    });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /must not be in the future/);
    const { Birthday } = await eva.put<ProfileRecord>("/profile", {
      Birthday: day(1),
    });
    assert.equal(Birthday, day(1));
  });
});
