import assert from "node:assert/strict";
import { test } from "node:test";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import { orderOf } from "./order.ts";
import type { Outgoing } from "./outgoing.ts";

const person = (id: number, userId: number | null = id) =>
  ({ id, userId }) as unknown as Person;
const [ann, bob, far] = [person(1), person(2), person(3, null)];
const post = { guid: "post", uri: null } as Post;
const comment = { guid: "comment", uri: null };
const order = (outgoing: object) => orderOf(outgoing as unknown as Outgoing);
const thread = { post, postAuthor: ann };

test("all messages about one object or relation have one name", () => {
  const one = (outgoings: readonly object[]): string => {
    const names = new Set(outgoings.map((each) => order(each).about));
    assert.equal(names.size, 1, [...names].join(", "));
    return [...names].join("");
  };
  const names = [
    one([
      { kind: "post", by: ann, post, root: null },
      { kind: "event_change", by: ann, post },
      { kind: "poll_change", by: ann, post },
      { kind: "thread_change", by: ann, post },
      { kind: "photo_retraction", by: ann, guid: "photo", ...thread },
      { kind: "post_retraction", by: ann, guid: "post" },
    ]),
    one([
      { kind: "comment", by: bob, comment, parent: null, ...thread },
      {
        ...{ kind: "comment_retraction", by: ann, author: bob },
        ...{ guid: "comment", uri: null, ...thread },
      },
    ]),
    // A like that was undone is repeated under another Guid.
    one([
      { kind: "like", by: bob, like: { guid: "a" }, comment: null, ...thread },
      {
        ...{ kind: "like_retraction", by: ann, author: bob },
        ...{ guid: "a", comment: null, ...thread },
      },
      { kind: "like", by: bob, like: { guid: "b" }, comment: null, ...thread },
    ]),
    one([{ kind: "like", by: ann, comment: null, ...thread }]),
    one([{ kind: "like", by: bob, comment, ...thread }]),
    one([
      { kind: "vote", by: bob, ...thread },
      { kind: "vote_retraction", by: bob, author: bob, ...thread },
    ]),
    one([{ kind: "event_answer", by: bob, ...thread }]),
    one([
      { kind: "contact", by: ann, recipient: far, following: true },
      { kind: "contact", by: ann, recipient: far, following: false },
      { kind: "block", by: ann, recipient: far },
    ]),
    one([{ kind: "contact", by: ann, recipient: person(4, null) }]),
    one([
      { kind: "profile", by: ann },
      { kind: "move", by: ann },
      { kind: "departure", by: ann },
    ]),
  ];
  assert.equal(new Set(names).size, names.length);
});

test("a message follows those that it needs, and no others", () => {
  const after = (outgoing: object): unknown => {
    const { after: thing, afterRelationsOf: of } = order(outgoing);
    return thing ?? of;
  };
  const reply = { ...comment, guid: "reply" };
  const seen = { ...post, uri: "https://far.example/1" };
  assert.equal(after({ kind: "post", by: ann, post, root: null }), ann.id);
  const root = (author: Person) => ({ post: { ...seen }, author });
  const reshare = { kind: "post", by: ann, post };
  assert.equal(after({ ...reshare, root: root(bob) }), seen.uri);
  assert.equal(after({ ...reshare, root: root(far) }), ann.id);
  const said = { kind: "comment", by: bob, ...thread };
  assert.equal(after({ ...said, comment, parent: null }), "post");
  assert.equal(after({ ...said, comment: reply, parent: comment }), "comment");
  assert.equal(after({ kind: "vote", by: bob, ...thread }), "post");
  assert.equal(after({ kind: "event_answer", by: bob, ...thread }), "post");
  const like = { kind: "like", by: bob, ...thread };
  assert.equal(after({ ...like, comment: null }), "post");
  assert.equal(after({ ...like, comment }), "comment");
  assert.equal(after({ kind: "contact", by: ann, recipient: far }), undefined);
  const contact = order({ kind: "contact", by: ann, recipient: far });
  assert.equal(contact.relationOf, ann.id);
  for (const kind of ["profile", "move"])
    assert.equal(after({ kind, by: ann }), ann.id);
});
