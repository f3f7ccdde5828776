import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { unpack } from "../support/scenes/archive.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { objectOf, read } from "../support/remote/linked-data.ts";
import type { PostRecord } from "../support/server/wire.ts";

const ADDRESS = "Stephansplatz <1>, Wien";
const FORM = {
  post: "Here",
  location_address: ADDRESS,
  location_lat: "48.2081741",
  location_lng: "16.373819",
};
const LOCATION = { Address: ADDRESS, Lat: 48.208174, Lng: 16.373819 };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("a post shows its location to its readers", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ann.post<PostRecord>("/posts", FORM);
    assert.deepEqual(post.Location, LOCATION);
    const seen = await bob.get<PostRecord>(`/posts/${post.Guid}`);
    assert.deepEqual(seen.Location, LOCATION);
    const reshare = await bob.post<PostRecord>(`/posts/${post.ID}/reshare`);
    assert.equal("Location" in reshare, false);
    assert.deepEqual(reshare.Root?.Location, LOCATION);
    const page = await fetch(`${kith().baseUrl}/posts/${post.Guid}`);
    assert.match(await page.text(), /Stephansplatz &lt;1&gt;, Wien/);
    const note = await read(objectOf(kith(), post.Guid));
    assert.deepEqual(note["location"], {
      type: "Place",
      name: ADDRESS,
      latitude: LOCATION.Lat,
      longitude: LOCATION.Lng,
    } satisfies JsonObject);
  });

  test("its author takes it along", async () => {
    const ann = await kith().person();
    await ann.post<PostRecord>("/posts", { post: "Nowhere" });
    await ann.post<PostRecord>("/posts", FORM);
    const answer = await fetch(`${kith().baseUrl}/api/v0/export`, {
      headers: { access_token: ann.token },
    });
    const files = await unpack(await answer.bytes());
    const posts = JSON.parse(
      files.get("posts.json")?.toString() ?? assert.fail(),
    ) as { location: unknown }[];
    assert.deepEqual(
      posts.map(({ location }) => location),
      [null, { address: ADDRESS, lat: "48.208174", lng: "16.373819" }],
    );
  });

  test("half a place, or one beyond the earth, is refused and nothing is published", async () => {
    const ann = await kith().person();
    for (const wrong of [
      { location_lng: "" },
      { location_lat: "", location_lng: "" },
      { location_lat: "90.5" },
      { location_lng: "181" },
      { location_lat: "here" },
      { location_address: "x".repeat(256) },
    ]) {
      const form = { ...FORM, ...wrong };
      const { status } = await ann.call("POST", "/posts", { form });
      assert.equal(status, 400, JSON.stringify(wrong));
    }
    const path = `/people/${ann.record.ID}/stream`;
    assert.deepEqual(await ann.get<PostRecord[]>(path), []);
  });
});
