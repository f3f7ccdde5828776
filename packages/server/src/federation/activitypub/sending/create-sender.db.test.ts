import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import {
  openHomeServer,
  type HomeServer,
} from "../../../../test/support/remote/home-server.ts";
import type { Person } from "../../../features/people/index.ts";
import { loadOutgoing } from "../../outbound/load/load-outgoing.ts";
import { createUris } from "../records/uris.ts";
import { createActivityPubSender } from "./create-sender.ts";

forEachDatabase((kind) => {
  let statements = 0;
  let home: HomeServer;
  let alice: Person;
  before(async () => {
    home = await openHomeServer(kind, () => {
      statements += 1;
    });
    alice = await home.signUp("alice");
  });
  after(() => home.close());

  /** Counts the statements that the database executes meanwhile. */
  async function countStatements<T>(
    run: () => Promise<T>,
  ): Promise<[count: number, result: T]> {
    statements = 0;
    const result = await run();
    return [statements, result];
  }

  const meet = async (name: string): Promise<Person> => {
    const actorUri = `https://${name}.example/actor`;
    const addresses = { actorUri, inboxUri: `${actorUri}/inbox` };
    const host = `${name}.example`;
    return (await home.remotePerson(name, host, addresses)).person;
  };

  /** A limited post with a poll and a mention, as it is sent. */
  async function loadLimited(mentioned: Person) {
    const { posts, polls } = home.features;
    const author = {
      userId: alice.userId ?? assert.fail(),
      personId: alice.id,
    };
    const attach = polls.ask({ question: "Tea?", answers: ["yes", "no"] });
    const post = await posts.publish({
      author,
      text: `Hello @{${mentioned.handle}}`,
      attach: attach ?? assert.fail(),
    });
    const fact = { by: alice.id, postId: post.id } as const;
    const outgoing = await loadOutgoing(home.features, {
      type: "post.published",
      ...fact,
    });
    if (outgoing?.kind !== "post") assert.fail("No post was loaded");
    return { ...outgoing, post: { ...post, public: false } };
  }

  test("a limited post is loaded once, however many servers get it", async () => {
    const { deps, features } = home;
    const sender = createActivityPubSender({
      ...deps,
      relays: features.relays,
      uris: createUris(deps.baseUrl),
      peers: { softwareOf: async () => "mastodon" } as never,
      signingJsonLd: { canonize: () => assert.fail("Signed in vain") },
    });
    const people: Person[] = [];
    for (const name of ["bob", "eve", "dan", "fay", "gus"])
      people.push(await meet(name));
    const [bob = assert.fail()] = people;
    const outgoing = await loadLimited(bob);
    const [count, rendered] = await countStatements(() =>
      sender.render(outgoing, people),
    );
    assert.equal(rendered.length, people.length);
    for (const { document } of rendered) {
      assert.match(document, /"type":"Question"/);
      assert.match(document, /https:\/\/bob\.example\/actor/);
    }
    assert.equal(count, 0);
  });
});
