import assert from "node:assert/strict";
import { before, test } from "node:test";
import { aspectOf } from "../support/scenes/audience.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  EventRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Input = Readonly<Record<string, unknown>>;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  /** Ann shares with Fay (family) and Bea (book club); Fay and Flo follow her. */
  let ann: TestPerson;
  let people: Record<"fay" | "bea" | "flo" | "sam", TestPerson>;
  let family: number;
  let books: number;

  before(async () => {
    ann = await kith().person({ handle: "ann" });
    people = {
      fay: await kith().person({ handle: "fay" }),
      bea: await kith().person({ handle: "bea" }),
      flo: await kith().person({ handle: "flo" }),
      sam: await kith().person({ handle: "sam" }),
    };
    family = await aspectOf(ann, people.fay);
    books = await aspectOf(ann, people.bea);
    await ann.put(`/aspects/${family}`, { name: "Family" });
    await ann.put(`/aspects/${books}`, { name: "Book club" });
    for (const follower of [people.fay, people.flo])
      await aspectOf(follower, ann);
    await kith().settle();
  });

  async function send<T>(
    by: TestPerson,
    path: string,
    json: Input,
    method = "POST",
  ): Promise<T> {
    const { status, text } = await by.call(method, path, { json });
    assert.equal(status, 200, text);
    return JSON.parse(text) as T;
  }

  const publish = (input: Input) =>
    send<PostRecord>(ann, "/posts", { post: "x", ...input });

  async function readersOf({ Guid }: { Guid: string }): Promise<string[]> {
    const seen: string[] = [];
    for (const [name, person] of Object.entries(people)) {
      const { status, text } = await person.call("GET", `/posts/${Guid}`);
      if (status !== 200) continue;
      seen.push(name);
      assert.equal("Audience" in (JSON.parse(text) as object), false, name);
    }
    return seen;
  }

  const handle = (name: keyof typeof people) => people[name].record.Author;

  test("each audience is seen by the people in it, and shown by name to its author alone", async () => {
    const everyone = ["fay", "bea", "flo", "sam"];
    const id = (name: keyof typeof people) => people[name].record.ID;
    const expected: [Input, string[], object | undefined][] = [
      [{ audience: "everyone" }, everyone, undefined],
      [{ aspectID: 0 }, everyone, undefined],
      [{}, everyone, undefined],
      [{ audience: "unlisted" }, everyone, { Kind: "unlisted", Names: [] }],
      [
        { audience: "followers" },
        ["fay", "flo"],
        { Kind: "followers", Names: [] },
      ],
      [
        { audience: "all_aspects" },
        ["fay", "bea"],
        { Kind: "all_aspects", Names: [] },
      ],
      [
        { aspectID: family },
        ["fay"],
        { Kind: "aspects", Names: ["Family"], AspectIDs: [family] },
      ],
      [
        { audience: "aspects", aspectID: [books, family, books] },
        ["fay", "bea"],
        {
          Kind: "aspects",
          Names: ["Family", "Book club"],
          AspectIDs: [family, books],
        },
      ],
      [
        { personID: [id("sam")], person: [handle("flo")] },
        ["flo", "sam"],
        { Kind: "people", Names: [handle("flo"), handle("sam")] },
      ],
      [
        { person: people.bea.record.Guid },
        ["bea"],
        { Kind: "people", Names: [handle("bea")] },
      ],
      [
        { audience: "people", post: `for @{${handle("sam")}}` },
        ["sam"],
        { Kind: "people", Names: [handle("sam")] },
      ],
      [{ audience: "self" }, [], { Kind: "self", Names: [] }],
    ];
    for (const [input, readers, audience] of expected) {
      const post = await publish(input);
      const what = JSON.stringify(input);
      const isPublic = readers.length === everyone.length;
      assert.equal(post.Public, isPublic, what);
      assert.deepEqual(post.Audience, audience, what);
      const again = await ann.get<PostRecord>(`/posts/${post.ID}`);
      assert.deepEqual(again.Audience, audience, what);
      assert.deepEqual(await readersOf(post), readers, what);
      const { status } = await kith().anonymous.call(
        "GET",
        `/posts/${post.ID}`,
      );
      assert.equal(status, 401);
      const page = await fetch(`${kith().baseUrl}/posts/${post.Guid}`);
      assert.equal(page.status, isPublic ? 200 : 404, what);
    }
  });

  test("an unlisted post is in the lists of those who follow its author, and in no public one", async () => {
    const { Guid } = await publish({ audience: "unlisted", post: "#quietly" });
    const isIn = async (who: TestPerson, path: string) =>
      (await who.get<PostRecord[]>(path)).some((post) => post.Guid === Guid);
    assert.equal(await isIn(people.fay, "/posts"), true);
    assert.equal(await isIn(people.sam, "/posts"), false);
    for (const who of [people.fay, people.sam])
      assert.equal(await isIn(who, "/posts?visibility=1"), false);
    const tag = await fetch(`${kith().baseUrl}/tags/quietly`);
    assert.equal((await tag.text()).includes(Guid), false);
    const page = await fetch(`${kith().baseUrl}/posts/${Guid}`);
    assert.match(await page.text(), /name="robots" content="noindex/);
    const reshare = await people.fay.post<PostRecord>(`/posts/${Guid}/reshare`);
    const listed = await people.sam.get<PostRecord[]>("/posts?visibility=1");
    assert.ok(!listed.some((post) => post.Guid === reshare.Guid));
  });

  test("the recipients stay as they were at publication, and so do the aspects' names", async () => {
    const aspect = await aspectOf(ann, people.sam);
    await ann.put(`/aspects/${aspect}`, { name: "Neighbours" });
    const [one, followers] = [
      await publish({ aspectID: [aspect, books] }),
      await publish({ audience: "followers" }),
    ];
    await ann.put(`/aspects/${aspect}`, { name: "Street" });
    await ann.delete(`/aspects/${aspect}`);
    await aspectOf(people.bea, ann);
    assert.deepEqual(await readersOf(one), ["bea", "sam"]);
    assert.deepEqual(await readersOf(followers), ["fay", "flo"]);
    const { Audience } = await ann.get<PostRecord>(`/posts/${one.ID}`);
    assert.deepEqual(Audience?.Names, ["Book club", "Neighbours"]);
    const [aspectOfBea] = await people.bea.get<AspectRecord[]>("/aspects");
    await people.bea.delete(`/aspects/${aspectOfBea?.ID}`);
  });

  test("people who are blocked, and those who block, are left out", async () => {
    const [eve, tim] = [await kith().person(), await kith().person()];
    await ann.post(`/people/${eve.record.ID}/block`);
    await tim.post(`/people/${ann.record.ID}/block`);
    const personID = [eve.record.ID, tim.record.ID, people.sam.record.ID];
    const { ID } = await publish({ personID });
    await ann.call("DELETE", `/people/${eve.record.ID}/block`);
    for (const who of [eve, tim]) await who.notFound("GET", `/posts/${ID}`);
    await people.sam.get(`/posts/${ID}`);
  });

  test("a contradiction, or a person or an aspect that there is not, is refused, and says which parameter", async () => {
    const other = await aspectOf(people.sam);
    const refused: [Input, string][] = [
      [{ audience: "world" }, "audience"],
      [{ audience: "" }, "audience"],
      [{ audience: "everyone", aspectID: family }, "aspectID"],
      [{ audience: "followers", aspectID: 0 }, "aspectID"],
      [{ audience: "unlisted", aspectID: 0 }, "aspectID"],
      [{ audience: "all_aspects", aspectID: family }, "aspectID"],
      [{ audience: "aspects" }, "aspectID"],
      [{ audience: "aspects", aspectID: 0 }, "aspectID"],
      [{ aspectID: [0, family] }, "aspectID"],
      [{ aspectID: -1 }, "aspectID"],
      [{ aspectID: "abc" }, "aspectID"],
      [{ aspectID: new Array(101).fill(family) }, "aspectID"],
      [{ aspectID: [] }, "aspectID"],
      [{ personID: [] }, "personID"],
      [{ person: [] }, "person"],
      [{ aspectID: family, personID: 1 }, "personID"],
      [{ aspectID: 0, person: handle("sam") }, "person"],
      [{ audience: "self", person: handle("sam") }, "person"],
      [{ audience: "followers", personID: [1] }, "personID"],
      [{ personID: 0 }, "personID"],
    ];
    for (const path of ["/posts", "/audience", "/calendar/events"])
      for (const [input, name] of refused) {
        const start = "2031-05-01T18:00:00Z";
        const json = { post: "x", start, end: start, ...input };
        await ann.badRequest("POST", path, { json });
        const { text } = await ann.call("POST", path, { json });
        assert.match(text, new RegExp(`The parameter ${name} must`), text);
      }
    for (const input of [
      { aspectID: other },
      { aspectID: [family, other] },
      { aspectID: 9_999_999 },
      { personID: 9_999_999 },
      { person: "0".repeat(32) },
      { person: "nobody@nowhere.example" },
    ])
      for (const path of ["/posts", "/audience"])
        await ann.notFound("POST", path, { json: { post: "x", ...input } });
    const json = { post: "nobody is mentioned", audience: "people" };
    await ann.badRequest("POST", "/posts", { json });
  });

  test("posts without an audience go to the default one", async () => {
    const bob = await kith().person();
    const [one, two] = [
      await aspectOf(bob, people.sam),
      await aspectOf(bob, people.bea),
    ];
    const settle = (json: Input) => send<Input>(bob, "/settings", json, "PUT");
    const post = async (input: Input = {}) => {
      const sent = { post: "by default", ...input };
      const published = await send<PostRecord>(bob, "/posts", sent);
      return published.Audience?.Kind ?? "everyone";
    };
    const chosen = { Audience: "aspects", AspectID: [two, one] };
    const answer = await settle(chosen);
    assert.deepEqual(answer["AspectIDs"], [two, one]);
    assert.deepEqual(await bob.get("/settings"), answer);
    assert.equal(await post(), "aspects");
    assert.equal(await post({ aspectID: 0 }), "everyone");
    assert.equal(await post({ audience: "self" }), "self");
    await bob.delete(`/aspects/${one}`);
    const narrowed = await send<PostRecord>(bob, "/posts", { post: "x" });
    assert.deepEqual(narrowed.Audience?.AspectIDs, [two]);
    await bob.delete(`/aspects/${two}`);
    await bob.badRequest("POST", "/posts", { json: { post: "x" } });
    for (const json of [
      { Audience: "people" },
      { Audience: "aspects" },
      { Audience: "self", AspectID: family },
      { Audience: "followers", Locale: "tlh" },
    ])
      await bob.badRequest("PUT", "/settings", { json });
    const json = { Audience: "aspects", AspectID: family, Locale: "de" };
    await bob.notFound("PUT", "/settings", { json });
    for (const Audience of ["followers", "unlisted", "everyone"]) {
      await settle({ Audience });
      assert.equal(await post(), Audience);
    }
  });

  test("an event goes to the same audiences", async () => {
    const plan = (input: Input) =>
      send<EventRecord>(ann, "/calendar/events", {
        start: "2031-05-01T18:00:00Z",
        end: "2031-05-01T20:00:00Z",
        ...input,
      });
    const guestsOf = async ({ ID }: EventRecord) => {
      const seen: string[] = [];
      for (const [name, person] of Object.entries(people)) {
        const path = `/calendar/events/${ID}`;
        if ((await person.call("GET", path)).status === 200) seen.push(name);
      }
      return seen;
    };
    const expected: [Input, string[]][] = [
      [{}, ["fay", "bea", "flo", "sam"]],
      [{ audience: "followers" }, ["fay", "flo"]],
      [{ aspectID: [family, books] }, ["fay", "bea"]],
      [{ person: handle("sam") }, ["sam"]],
      [{ audience: "self" }, []],
    ];
    for (const [input, guests] of expected)
      assert.deepEqual(
        await guestsOf(await plan(input)),
        guests,
        JSON.stringify(input),
      );
    const start = "2031-05-01T18:00:00Z";
    for (const audience of ["people", "unlisted"]) {
      const json = { start, end: start, audience };
      await ann.badRequest("POST", "/calendar/events", { json });
    }
  });
});
