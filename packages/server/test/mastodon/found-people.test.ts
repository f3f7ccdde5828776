import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonId } from "../../src/features/ids.ts";
import {
  MastodonClient,
  type AccountRecord,
  type StatusRecord,
} from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Found = {
  readonly accounts: readonly AccountRecord[];
  readonly statuses: readonly StatusRecord[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const client = async () => {
    const who = await kith().person();
    return { who, id: who.record.ID, app: MastodonClient.of(kith(), who) };
  };
  const named = async (...names: readonly string[]) =>
    Promise.all(
      names.map(async (display_name) => {
        const one = await client();
        await one.app.patch("/v1/accounts/update_credentials", {
          display_name,
        });
        return one;
      }),
    );
  const idsOf = (all: readonly { readonly id: string }[]) =>
    all.map(({ id }) => id);

  test("a search is limited to the statuses of an account", async () => {
    const [ann, bob] = [await client(), await client()];
    // Others find the posts of those alone who let them.
    await bob.app.patch("/v1/accounts/update_credentials", { indexable: true });
    const own = await ann.app.write("rhubarb of mine");
    const theirs = await bob.app.write("rhubarb of theirs");
    const search = async (more: string) =>
      idsOf(
        (await ann.app.get<Found>(`/v2/search?q=rhubarb&type=statuses${more}`))
          .statuses,
      );
    assert.deepEqual(
      (await search("")).toSorted(),
      [own.id, theirs.id].toSorted(),
    );
    assert.deepEqual(await search(`&account_id=${bob.id}`), [theirs.id]);
    assert.deepEqual(await search(`&account_id=${ann.id}`), [own.id]);
    for (const nobody of ["999999", "deer", "-1"])
      assert.deepEqual(await search(`&account_id=${nobody}`), []);
  });

  test("a search is limited to people whom the user follows", async () => {
    const [ann = assert.fail(), bob = assert.fail(), eve = assert.fail()] =
      await named("Ann", "Quilla One", "Quilla Two");
    await kith().settle();
    await ann.app.post(`/v1/accounts/${bob.id}/follow`);
    const search = async (path: string, by = ann.app) => {
      const found = await by.get<AccountRecord[] | Found>(path);
      return idsOf("accounts" in found ? found.accounts : found);
    };
    for (const path of [
      "/v1/accounts/search?q=Quilla",
      "/v2/search?q=Quilla&type=accounts",
    ]) {
      assert.deepEqual(
        (await search(path)).toSorted(),
        [String(bob.id), String(eve.id)].toSorted(),
      );
      assert.deepEqual(await search(`${path}&following=true`), [
        String(bob.id),
      ]);
      assert.deepEqual(await search(`${path}&following=true`, bob.app), []);
    }
    const exact = `/v1/accounts/search?q=${eve.who.username}`;
    assert.deepEqual(await search(exact), [String(eve.id)]);
    assert.deepEqual(await search(`${exact}&following=true`), []);
  });

  test("an account that has moved names the new one, which names none", async () => {
    const [ann, old, next] = [await client(), await client(), await client()];
    const markMoved = (to: number | null) =>
      kith().db.transaction((tx) =>
        kith().server.features.people.markMoved(
          tx,
          old.id,
          to as PersonId | null,
        ),
      );
    type Moved = AccountRecord & { readonly moved?: AccountRecord };
    const read = (id: number) => ann.app.get<Moved>(`/v1/accounts/${id}`);
    assert.equal("moved" in (await read(old.id)), false);
    await markMoved(next.id);
    const { moved } = await read(old.id);
    assert.equal(moved?.id, String(next.id));
    assert.equal(moved.acct, next.who.username);
    assert.equal("moved" in moved || "moved" in (await read(next.id)), false);
    await markMoved(null);
    assert.equal("moved" in (await read(old.id)), false);
  });

  test("statuses are sensitive by default where the user says so", async () => {
    const { app } = await client();
    type Own = { readonly source: { readonly sensitive: boolean } };
    const path = "/v1/accounts/update_credentials";
    const read = async () => [
      (await app.get<Own>("/v1/accounts/verify_credentials")).source.sensitive,
      (await app.get<Record<string, unknown>>("/v1/preferences"))[
        "posting:default:sensitive"
      ],
      (await app.write("look")).sensitive,
    ];
    assert.deepEqual(await read(), [false, false, false]);
    for (const sensitive of [true, "false", "1", 0]) {
      const isSensitive = sensitive === true || sensitive === "1";
      const changed = await app.patch<Own>(path, { source: { sensitive } });
      assert.equal(changed.source.sensitive, isSensitive);
      assert.deepEqual(await read(), [isSensitive, isSensitive, isSensitive]);
    }
    const form = new FormData();
    form.append("source[sensitive]", "true");
    assert.equal((await app.patch<Own>(path, form)).source.sensitive, true);
    await app.refused("PATCH", path, 422, /sensitive must be true or false/, {
      source: { sensitive: "perhaps" },
    });
  });
});
