import assert from "node:assert/strict";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { assertError } from "../server/api-client.ts";
import type { KithServer, TestPerson } from "../server/kith-server.ts";
import { actorOf, submit } from "../remote/linked-data.ts";
import type { PostRecord } from "../server/wire.ts";

/** Common calls of tests of the client side. */
export function outboxOf(kith: () => KithServer) {
  const actor = (person: TestPerson) => actorOf(kith(), person.username);
  const note = (members: JsonObject = {}): JsonObject => ({
    type: "Note",
    content: "<p>Hello <b>there</b></p>",
    to: [PUBLIC],
    ...members,
  });
  const newest = async (person: TestPerson) => {
    const [post] = await person.get<PostRecord[]>(
      `/people/${person.record.ID}/stream`,
      { limit: 1 },
    );
    assert.ok(post);
    return post;
  };

  /** Makes sure that an activity is refused so, and that nothing changed. */
  const refuse = async (
    by: TestPerson,
    activity: JsonObject,
    status: number,
    error: string,
  ) => {
    const unchanged = await kith().snapshot();
    const answer = await submit(kith(), by, activity);
    assertError(answer, status, error, JSON.stringify(activity));
    assert.deepEqual(await kith().snapshot(), unchanged);
  };
  const badRequest = (by: TestPerson, activity: JsonObject) =>
    refuse(by, activity, 400, "Bad request");
  const notFound = (by: TestPerson, activity: JsonObject) =>
    refuse(by, activity, 404, "Not found");
  const notImplemented = (by: TestPerson, activity: JsonObject) =>
    refuse(by, activity, 501, "Not implemented");
  return { actor, note, newest, refuse, badRequest, notFound, notImplemented };
}
