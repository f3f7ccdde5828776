import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  startKith,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";
import { remoteThread } from "../support/storage/remote-thread.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const publish = (by: TestPerson, text: string, more = {}) =>
    by.post<PostRecord>("/posts", { post: text, ...more });
  const quote = (by: TestPerson, { ID }: { ID: number }, more = {}) =>
    publish(by, "look at this", { quoteID: ID, ...more });
  const show = (to: TestPerson, { ID }: { ID: number }) =>
    to.get<PostRecord>(`/posts/${ID}`);
  const limit = async (by: TestPerson, ...members: TestPerson[]) => {
    const name = `of ${members.length}`;
    const { ID } = await by.post<AspectRecord>("/aspects", {
      aspect_name: name,
    });
    for (const member of members)
      await by.post(`/people/${member.record.ID}/aspects/${ID}`);
    return { aspectID: ID };
  };

  test("a public post can be quoted, and is shown in the quoting post", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const words = await publish(ann, "wise words");
    const made = await quote(bob, words);
    assert.equal(made.Text, "look at this");
    assert.equal(made.Quote?.State, "accepted");
    assert.equal(made.Quote.ID, words.ID);
    assert.equal(made.Quote.Guid, words.Guid);
    assert.equal(made.Quote.Url, words.Url);
    assert.equal(made.Quote.Text, "wise words");
    assert.equal(made.Quote.CreatedAt, words.CreatedAt);
    assert.equal(made.Quote.Person?.Author, ann.handle);
    assert.deepEqual(await show(ann, made), made);
    const [listed] = await ann.get<PostRecord[]>("/posts", { limit: 1 });
    assert.deepEqual(listed, made);
    assert.ok(!("Quote" in words));
    assert.ok(!("Quote" in (await show(bob, words))));
    const { Quote } = await bob.get<PostRecord>(`/posts/${made.ID}`, {
      fields: "Quote(ID:Person(Author))",
    });
    const Person = { Author: ann.handle };
    assert.deepEqual(Quote, { ID: words.ID, Person });
  });

  test("a quoted local person is notified", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { Guid } = await quote(bob, await publish(ann, "wise words"));
    await kith().settle();
    const notifications =
      await ann.get<{ ShareableGuid: string }[]>("/notifications");
    assert.deepEqual(
      notifications.map(({ ShareableGuid }) => ShareableGuid),
      [Guid],
    );
  });

  test("without ActivityPub nobody is asked, so the quote is shown", async (t) => {
    const env = { KITH_PROTOCOLS: "diaspora" };
    const server = await startKith(kind, { env });
    t.after(() => server.close());
    const ann = await server.person();
    const { id } = await remoteThread(server);
    const made = await ann.post<PostRecord>("/posts", {
      ...{ post: "look", quoteID: id },
    });
    assert.equal(made.Quote?.ID, id);
    assert.equal(made.Quote.State, "accepted");
  });

  test("a quoted reshare stands for the reshared post", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const words = await publish(ann, "wise words");
    const again = await bob.post<PostRecord>(`/posts/${words.ID}/reshare`);
    const made = await quote(bob, again);
    assert.equal(made.Quote?.ID, words.ID);
    const passedOn = await ann.post<PostRecord>(`/posts/${made.ID}/reshare`);
    assert.equal(passedOn.Root?.Quote?.ID, words.ID);
  });

  test("posts that quote each other in a circle, or themselves in a row, are shown one step deep", async () => {
    const ann = await kith().person();
    const first = await publish(ann, "first");
    const second = await quote(ann, first);
    const third = await quote(ann, second);
    assert.equal(third.Quote?.ID, second.ID);
    assert.ok(!("Quote" in third.Quote));
    const { db } = kith();
    await db.transaction((tx) =>
      tx
        .insertInto("quotes")
        .values({
          post_id: first.ID,
          quoted_guid: third.Guid,
          quoted_uri: null,
          state: "accepted",
          authorization_uri: null,
          changed_at: first.CreatedAt,
        })
        .execute(),
    );
    assert.equal((await show(ann, first)).Quote?.ID, third.ID);
    assert.equal((await show(ann, third)).Quote?.ID, second.ID);
  });

  test("an invisible post, another person's limited post, and a deleted one cannot be quoted", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const limited = await publish(ann, "for few", await limit(ann, bob));
    const gone = await publish(ann, "gone");
    await ann.delete(`/posts/${gone.Guid}`);
    const ofMine = await publish(ann, "not for eve");
    await ann.post(`/people/${eve.record.ID}/block`);
    const refused = (by: TestPerson, ID: number, status: number) =>
      by
        .call("POST", "/posts", { form: { post: "look", quoteID: ID } })
        .then((answer) => assert.equal(answer.status, status, answer.text));
    await refused(bob, limited.ID, 400);
    await refused(eve, limited.ID, 404);
    await refused(eve, ofMine.ID, 404);
    await refused(bob, gone.ID, 404);
    await refused(bob, 999_999, 404);
    const none = await publish(bob, "none", { quoteID: 0 });
    assert.ok(!("Quote" in none));
    const [newest] = await bob.get<PostRecord[]>("/posts", { limit: 1 });
    assert.equal(newest?.ID, none.ID);
  });

  test("an own limited post is quoted for its recipients only", async () => {
    const [ann, bob, cleo] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const both = await limit(ann, bob, cleo);
    const one = await limit(ann, bob);
    const few = await publish(ann, "for few", one);
    const refused = async (more: object) => {
      const form = { post: "look", quoteID: few.ID, ...more };
      const { status } = await ann.call("POST", "/posts", { form });
      assert.equal(status, 400);
    };
    await refused({});
    await refused(both);
    const made = await quote(ann, few, one);
    assert.equal((await show(bob, made)).Quote?.Text, "for few");
    const [newest] = await cleo.get<PostRecord[]>("/posts", { limit: 1 });
    assert.notEqual(newest?.ID, made.ID);
  });

  test("people who may not see the quoted post, or avoid its author, see the post without it", async () => {
    const [ann, bob, eve, fay] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const words = await publish(ann, "wise words");
    const made = await quote(bob, words);
    assert.ok((await show(eve, made)).Quote);
    await ann.post(`/people/${eve.record.ID}/block`);
    await fay.post(`/people/${ann.record.ID}/ignore`);
    for (const viewer of [eve, fay]) {
      const shown = await show(viewer, made);
      assert.equal(shown.Text, made.Text);
      assert.ok(!("Quote" in shown));
    }
    await fay.delete(`/people/${ann.record.ID}/ignore`);
    assert.ok((await show(fay, made)).Quote);
    await fay.delete(`/posts/${words.Guid}`);
    assert.ok(!("Quote" in (await show(fay, made))), "it is hidden");
  });

  test("the quote disappears with the quoted post, permanently", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const words = await publish(ann, "wise words");
    const made = await quote(bob, words);
    await ann.delete(`/posts/${words.Guid}`);
    assert.ok(!("Quote" in (await show(bob, made))));
    await kith().settle();
    const { quotes } = kith().server.features;
    assert.equal((await quotes.find(made.ID as never))?.state, "revoked");
    assert.ok(!("Quote" in (await show(bob, made))));
  });

  test("a block by its author revokes existing quotes, for everyone", async () => {
    const [ann, bob, cleo] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const made = await quote(bob, await publish(ann, "wise words"));
    const other = await quote(cleo, await publish(ann, "more words"));
    await kith().settle();
    await ann.post(`/people/${bob.record.ID}/block`);
    await kith().settle();
    const { Quote } = await show(cleo, made);
    assert.equal(Quote?.State, "revoked");
    assert.ok(!("Text" in Quote) && !("Person" in Quote));
    assert.equal((await show(bob, other)).ID, other.ID);
    assert.equal((await show(cleo, other)).Quote?.State, "accepted");
    await ann.delete(`/people/${bob.record.ID}/block`);
    await kith().settle();
    assert.equal((await show(cleo, made)).Quote?.State, "revoked");
  });

  test("a post that asks something quotes as well", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const words = await publish(ann, "wise words");
    const body = {
      post: "what do you think?",
      quoteID: words.ID,
      poll_question: "Wise?",
      poll_answer: ["yes", "no"],
    };
    const { status, text } = await bob.call("POST", "/posts", { json: body });
    assert.equal(status, 200, text);
    const made = JSON.parse(text) as PostRecord;
    assert.equal(made.Poll?.Question, "Wise?");
    assert.equal(made.Quote?.ID, words.ID);
  });
});
