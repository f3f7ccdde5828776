import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseEntity, parseEnvelope } from "@kith/diaspora";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

/** A server with both protocols may get a post over one, and its replies over the other. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let ann: TestPerson;

  before(async () => {
    pod = await DiasporaPod.start();
    ann = await kith().person();
  });
  after(() => pod.close());

  test("a post that goes to a pod names its ActivityPub id", async () => {
    const bob = pod.person("bob");
    const found = await kith().server.discovery.byHandle(bob.handle);
    const { ID } = await ann.post<AspectRecord>("/aspects", { name: "pods" });
    await ann.post(`/people/${found?.id}/aspects/${ID}`);
    const open = await ann.post<PostRecord>("/posts", { post: "for all" });
    const limited = await ann.post<PostRecord>("/posts", {
      post: "for the pod",
      aspectID: ID,
    });
    await kith().settle();
    const sent = await pod.ofType("status_message");
    const ids = new Map(
      sent.map(({ entity }) => [entity.guid, entity.activitypubId]),
    );
    for (const { Guid } of [open, limited])
      assert.equal(ids.get(Guid), objectOf(Guid));
  });

  test("a post that is fetched from here does, too", async () => {
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "for all" });
    const answer = await fetch(`${kith().baseUrl}/fetch/post/${Guid}`);
    const envelope = parseEnvelope(await answer.text());
    const entity = parseEntity(envelope.payloadXml());
    assert.ok(entity.type === "status_message");
    assert.equal(entity.activitypubId, objectOf(Guid));
  });

  const objectOf = (guid: string): string =>
    `${kith().baseUrl}/api/v1/ap/object/${guid}`;
});
