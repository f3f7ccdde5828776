import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ApiClient, type Json } from "../support/api-client.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { combinationsInTime, type Combination } from "../support/long-run.ts";

for (const options of combinationsInTime())
  describe(`two servers, ${options.protocols}, ${options.database}`, () =>
    playFirstLight(options));

/** The scenario of client programs of this API, in their order, between two fresh servers. */
function playFirstLight(options: Combination): void {
  let one: KithProcess;
  let two: KithProcess;
  let g1: ApiClient;
  let g2: ApiClient;
  let g2Person: Json;
  let aspect: Json;
  let publicPost: Json;
  let privatePost: Json;
  let comments: Json[];
  let likes: Json[];

  /** Whether g2's server knows that g1 follows g2, judging by data visible to contacts only. */
  async function isShared(): Promise<boolean> {
    if (options.protocols.includes("activitypub")) {
      const path = "/api/v1/ap/person/g2/followers";
      const response = await fetch(`${two.baseUrl}${path}`);
      const followers = (await response.json()) as { totalItems: number };
      return followers.totalItems === 1;
    }
    const person = await g2.post("/search", { handle: one.handle("g1") });
    const path = `/people/${String(person["ID"])}/profile`;
    return (await g2.getRecord(path))["Bio"] === "for contacts";
  }

  before(async () => {
    [one, two] = await Promise.all([
      KithProcess.start(options),
      KithProcess.start(options),
    ]);
  });
  after(async () => {
    await Promise.all([one.remove(), two.remove()]);
  });

  test("g1 and g2 sign up and get tokens", async () => {
    g1 = await ApiClient.signUp(one.baseUrl, "g1");
    g2 = await ApiClient.signUp(two.baseUrl, "g2");
    assert.match(g1.token, /^[0-9a-f]{64}$/);
    const { status } = await g1.call("PUT", "/profile", {
      FirstName: "Gigi",
      Bio: "for contacts",
      BioFor: "contacts",
    });
    assert.equal(status, 200);
  });

  test("g1 finds g2 on the other server by handle", async () => {
    const handle = two.handle("g2");
    g2Person = await g1.post("/search", { handle });
    const self = await g2.post("/search", { handle });
    assert.equal(g2Person["Author"], handle);
    assert.equal(g2Person["Guid"], self["Guid"]);
    assert.equal(g2Person["UserID"], null);
    assert.equal(
      g2Person["SerializedPublicKey"],
      self["SerializedPublicKey"],
      "the key is pinned as the other server gives it",
    );
  });

  test("g1 creates an aspect and adds g2 to it, who is notified once", async () => {
    aspect = await g1.post("/aspects", { aspect_name: "test" });
    assert.equal(aspect["ID"], 1);
    const path = `/people/${String(g2Person["ID"])}/aspects/${String(aspect["ID"])}`;
    const membership = await g1.post(path);
    assert.equal(membership["PersonID"], g2Person["ID"]);
    assert.deepEqual(await g1.post(path), membership);
    await eventually(async () => {
      const notifications = await g2.getList("/notifications");
      const contacts = notifications.filter(
        (n) => n["ShareableType"] === "Contact",
      );
      assert.equal(contacts.length, 1);
    });
  });

  test("a public and a private post arrive, once, with their visibility", async () => {
    publicPost = await g1.post("/posts", { post: "helloworld", aspectID: "0" });
    privatePost = await g1.post("/posts", {
      post: "hello friends",
      aspectID: String(aspect["ID"]),
    });
    assert.equal(publicPost["Public"], true);
    assert.equal(privatePost["Public"], false);
    for (const post of [publicPost, privatePost]) {
      const there = await eventually(() =>
        g2.getRecord(`/posts/${String(post["Guid"])}`),
      );
      assert.equal(there["Public"], post["Public"]);
      assert.equal(there["Text"], post["Text"]);
      assert.equal(there["Type"], "StatusMessage");
    }
    const stream = await g2.getList("/posts");
    assert.equal(stream.length, 2);
  });

  test("the private post is visible to no one else", async () => {
    const path = `/posts/${String(privatePost["Guid"])}`;
    for (const server of [one, two]) {
      const stranger = await ApiClient.signUp(server.baseUrl, "stranger");
      const hidden = await stranger.call("GET", path);
      const absent = await stranger.call("GET", `/posts/${"0".repeat(32)}`);
      assert.deepEqual(hidden, absent);
      assert.equal(hidden.status, 404);
      assert.equal((await stranger.getList("/posts")).length, 1);
    }
  });

  test("comments and likes on both arrive", async () => {
    comments = [];
    likes = [];
    for (const post of [publicPost, privatePost]) {
      const path = `/posts/${String(post["Guid"])}`;
      comments.push(await g1.post(`${path}/comments`, { comment: "first" }));
      likes.push(await g1.post(`${path}/likes/true`));
    }
    for (const [index, post] of [publicPost, privatePost].entries()) {
      const path = `/posts/${String(post["Guid"])}`;
      await eventually(async () => {
        const there = await g2.getList(`${path}/comments`);
        assert.deepEqual(guidsOf(there), [comments[index]?.["Guid"]]);
        const liked = await g2.getList(`${path}/likes`);
        assert.deepEqual(guidsOf(liked), [likes[index]?.["Guid"]]);
        assert.equal(liked[0]?.["Positive"], true);
      });
    }
  });

  test("g2 replies to both; it comes back, and g1 is notified", async () => {
    for (const post of [publicPost, privatePost]) {
      const path = `/posts/${String(post["Guid"])}`;
      const comment = await g2.post(`${path}/comments`, { comment: "second" });
      const like = await g2.post(`${path}/likes/true`);
      await eventually(async () => {
        const here = await g1.getList(`${path}/comments`);
        assert.ok(guidsOf(here).includes(comment["Guid"]));
        assert.equal(here.length, 2);
        const liked = await g1.getList(`${path}/likes`);
        assert.ok(guidsOf(liked).includes(like["Guid"]));
      });
    }
    await eventually(async () => {
      const notifications = await g1.getList("/notifications");
      assert.deepEqual(
        notifications.map((n) => n["ShareableType"]).toSorted(),
        ["Comment", "Comment", "Like", "Like"],
      );
    });
  });

  test("a reshare arrives, and only public posts can be reshared", async () => {
    const guid = String(publicPost["Guid"]);
    const reshare = await g2.post(`/posts/${guid}/reshare`);
    assert.equal(reshare["RootGuid"], guid);
    await eventually(async () => {
      const here = await g1.getRecord(`/posts/${String(reshare["Guid"])}`);
      assert.equal(here["Type"], "Reshare");
      assert.equal(here["RootGuid"], guid);
    });
    const again = await g2.call("POST", `/posts/${guid}/reshare`);
    assert.deepEqual(again, {
      status: 400,
      body: {
        error: "Bad request",
        detail: "You have reshared this post already.",
      },
    });
    const path = `/posts/${String(privatePost["Guid"])}/reshare`;
    assert.equal((await g2.call("POST", path)).status, 400);
  });

  test("deleted likes, comments and posts are removed on the other server, too", async () => {
    for (const [index, post] of [publicPost, privatePost].entries()) {
      const path = `/posts/${String(post["Guid"])}`;
      await g1.delete(`/likes/${String(likes[index]?.["Guid"])}`);
      await g1.delete(`/comments/${String(comments[index]?.["Guid"])}`);
      await eventually(async () => {
        const liked = guidsOf(await g2.getList(`${path}/likes`));
        assert.ok(!liked.includes(likes[index]?.["Guid"]));
        const there = guidsOf(await g2.getList(`${path}/comments`));
        assert.ok(!there.includes(comments[index]?.["Guid"]));
      });
      await g1.delete(path);
      assert.equal((await g1.call("GET", path)).status, 404);
      await eventually(async () => {
        assert.equal((await g2.call("GET", path)).status, 404);
      });
    }
  });

  test("g2 is removed from the aspect; its server is notified, and g2 gets no more private posts", async () => {
    assert.equal(await isShared(), true);
    await g1.delete(
      `/people/${String(g2Person["ID"])}/aspects/${String(aspect["ID"])}`,
    );
    await eventually(async () => assert.equal(await isShared(), false));
    const last = await g1.post("/posts", {
      post: "without g2",
      aspectID: String(aspect["ID"]),
    });
    // Later messages to the same server have not been delivered earlier: order is kept.
    await g1.post(
      `/people/${String(g2Person["ID"])}/aspects/${String(aspect["ID"])}`,
    );
    await eventually(async () => assert.equal(await isShared(), true));
    const path = `/posts/${String(last["Guid"])}`;
    assert.equal((await g2.call("GET", path)).status, 404);
    assert.equal((await g1.call("GET", path)).status, 200);
  });

  test("no failure was logged", () => {
    for (const { output } of [one, two])
      assert.doesNotMatch(output, /"level":(?:50|60)/);
  });
}

function guidsOf(records: readonly Json[]): unknown[] {
  return records.map((record) => record["Guid"]);
}
