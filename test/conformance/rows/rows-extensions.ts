import assert from "node:assert/strict";
import { guids } from "./rows-people.ts";
import { wholeRecord } from "./rows-records.ts";
import {
  needsToken,
  type Rec,
  type Rows,
  type RowTest,
  type Stage,
} from "../stage.ts";
import { tinyPng } from "../tiny-png.ts";

function pictureForm(more: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  const file = new Blob([tinyPng()], { type: "image/png" });
  form.append("image", file, "pixel.png");
  for (const [name, value] of Object.entries(more)) form.append(name, value);
  return form;
}

async function photo(stage: Stage): Promise<Rec> {
  const multipart = pictureForm({ text: "A pixel" });
  const answer = await stage.ann.call("POST", "/photos", { multipart });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Rec;
}

type Poll = {
  readonly Question: string;
  readonly Answers: readonly { Guid: string; Text: string; Votes: number }[];
  readonly Multiple: boolean;
  readonly OwnVotes: readonly string[];
};

async function poll(stage: Stage, multiple = "false"): Promise<Rec> {
  const form = new FormData();
  const entries: [string, string][] = [
    ["post", "Which?"],
    ["aspectID", String(stage.friends.ID)],
    ["poll_question", "Tea or coffee?"],
    ["poll_answer", "Tea"],
    ["poll_answer", "Coffee"],
    ["poll_multiple", multiple],
  ];
  for (const [name, value] of entries) form.append(name, value);
  const answer = await stage.ann.call("POST", "/posts", { multipart: form });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Rec;
}

const stream = ({ ann }: Stage, more: Record<string, string> = {}) =>
  ann.post<Rec>("/users/streams", {
    name: "deer",
    tags: "deer,elk",
    people: "",
    expression: "",
    ...more,
  });

const attachesEvent: RowTest = async (stage) => {
  const { ann, bob, friends } = stage;
  const event = await stage.event(ann);
  const post = await stage.post(ann, { eventID: event.ID });
  assert.equal((post["Event"] as Rec).Guid, event.Guid);
  const missing = { form: { post: "x", eventID: 999999 } };
  await ann.notFound("POST", "/posts", missing);
  const theirs = await stage.event(bob, { announce: false });
  const hidden = { form: { post: "x", eventID: theirs.ID } };
  await ann.notFound("POST", "/posts", hidden);
  const limited = await stage.event(ann, { aspectID: friends.ID });
  const wider = { form: { post: "x", eventID: limited.ID } };
  await ann.badRequest("POST", "/posts", wider);
};

const resolved = "service-api-resolved/Endpoints, complete";

export const extensionRows: Rows = {
  "service-api/Posts/Post create rule 4": async (stage) => {
    const actor = await stage.follower("invited");
    await attachesEvent(stage, "");
    await stage.kith.settle();
    const created = actor.got("Create").map((it) => JSON.stringify(it));
    assert.ok(created.some((it) => it.includes("Picnic")));
  },
  "service-api-resolved/Records: all fields/Photo": wholeRecord(photo),
  "service-api-resolved/Records: all fields/User stream": wholeRecord(stream),
  [`${resolved}/POST /posts`]: async (stage) => {
    const { ann, bob, friends } = stage;
    await attachesEvent(stage, "");
    const { ID } = await photo(stage);
    const post = await stage.post(ann, { photoID: ID, nsfw: true });
    assert.deepEqual(
      (post["Photos"] as Rec[]).map((it) => it.ID),
      [ID],
    );
    const asked = (await poll(stage))["Poll"] as Poll;
    assert.equal(asked.Question, "Tea or coffee?");
    assert.deepEqual(
      asked.Answers.map(({ Text, Votes }) => [Text, Votes]),
      [
        ["Tea", 0],
        ["Coffee", 0],
      ],
    );
    const one = { post: "x", poll_question: "?", poll_answer: "only" };
    await ann.badRequest("POST", "/posts", { form: one });
    const foreign = { form: { post: "x", aspectID: friends.ID } };
    await bob.notFound("POST", "/posts", foreign);
    const unknown = { form: { post: "x", photoID: 999999 } };
    await ann.notFound("POST", "/posts", unknown);
  },
  [`${resolved}/POST /posts/:id/poll/votes`]: async (stage) => {
    const { bob, cam } = stage;
    const post = await poll(stage);
    const [tea] = (post["Poll"] as Poll).Answers;
    const path = `/posts/${post.ID}/poll/votes`;
    const answer = tea?.Guid ?? "";
    await needsToken(stage, "POST", path);
    const voted = await bob.post<Rec>(path, { answer });
    const { Answers, OwnVotes } = voted["Poll"] as Poll;
    assert.deepEqual(OwnVotes, [answer]);
    assert.deepEqual(
      Answers.map(({ Votes }) => Votes),
      [1, 0],
    );
    await cam.notFound("POST", path, { form: { answer } });
  },
  [`${resolved}/POST /users/streams, GET /users/streams, DELETE /users/streams/:id`]:
    async (stage) => {
      const { ann, bob } = stage;
      for (const method of ["GET", "POST"])
        await needsToken(stage, method, "/users/streams");
      const made = await stream(stage);
      assert.equal(made["Tags"], "deer,elk", "returned as sent");
      const list = await ann.get<Rec[]>("/users/streams");
      assert.equal(list[0]?.ID, made.ID);
      const form = { name: "x", expression: "(" };
      await ann.badRequest("POST", "/users/streams", { form });
      const path = `/users/streams/${made.ID}`;
      await needsToken(stage, "DELETE", path);
      await bob.notFound("DELETE", path);
      await ann.delete(path);
      await ann.notFound("DELETE", path);
    },
  [`${resolved}/GET /users/streams/:id/posts`]: async (stage) => {
    const { ann, bob } = stage;
    const expression = "^a (roe|red) deer$";
    const byTag = await stream(stage, { tags: "elk" });
    const byText = await stream(stage, { tags: "", expression });
    const tagged = await stage.post(bob, { post: "an #elk" });
    const second = await stage.post(bob, { post: "a roe deer" });
    const other = await stage.post(bob, { post: "a cat" });
    await stage.kith.settle();
    for (const [{ ID }, post] of [
      [byTag, tagged],
      [byText, second],
    ] as const) {
      const path = `/users/streams/${ID}/posts`;
      await needsToken(stage, "GET", path);
      const seen = guids(await ann.get<Rec[]>(path));
      assert.ok(seen.includes(post.Guid) && !seen.includes(other.Guid));
      const cut = await ann.get<Rec[]>(path, { fields: "Guid" });
      assert.deepEqual(cut[0], { Guid: post.Guid });
      await bob.notFound("GET", path);
    }
  },
  [`${resolved}/POST /photos`]: async (stage) => {
    await needsToken(stage, "POST", "/photos");
    const made = await photo(stage);
    assert.equal(made.Text, "A pixel");
    assert.equal(made["Width"], 1);
    assert.equal(made["Height"], 1);
    assert.equal(made.PersonID, stage.ann.record.ID);
    const multipart = new FormData();
    multipart.append("image", new Blob(["no picture"]), "pixel.png");
    const sent = { multipart };
    const error = "Unsupported media type";
    await stage.ann.refused("POST", "/photos", sent, 415, error);
  },
};
