import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { encryptEnvelope } from "@kith/diaspora";
import { forDatabasesInTime } from "../../packages/server/test/support/scenes/long-run.ts";
import {
  DiasporaPod,
  postTo,
  type PodPerson,
} from "../../packages/server/test/support/remote/diaspora-pod.ts";
import { root } from "../../scripts/project-files.ts";
import { SENT } from "./case-entities.ts";
import { useCaseServers } from "./case-town.ts";

test("case 11: every accepted type of entity is in the table", () => {
  const file = "packages/server/src/federation/diaspora/process-entity.ts";
  const source = readFileSync(path.join(root, file), "utf8");
  const taken = source.matchAll(/^ {4}case "([a-z_]+)":/gm);
  const types = [...new Set([...taken].map(([, type = ""]) => type))];
  assert.deepEqual(types.sort(), Object.keys(SENT).sort());
});

forDatabasesInTime((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, goodPod, evilPod, unharmed, changedBy } = town;
  let third: DiasporaPod;
  let blocked: PodPerson;
  let names = 0;
  before(async () => {
    third = await DiasporaPod.start("third.localhost");
    blocked = await someone();
    const { ID } = await ann().post<{ ID: number }>("/search", {
      handle: blocked.handle,
    });
    await ann().post(`/people/${ID}/block`);
  });
  after(() => third.close());

  async function someone(pod = goodPod()): Promise<PodPerson> {
    names += 1;
    const one = pod.person(`p${names}`);
    assert.ok(await kith().server.discovery.byHandle(one.handle));
    return one;
  }

  /** To the public endpoint, or encrypted to ann's own. */
  async function deliver(envelope: string, toAnn = false): Promise<void> {
    const { Guid, SerializedPublicKey } = ann().record;
    const status = toAnn
      ? await postTo(
          kith(),
          `/receive/users/${Guid}`,
          encryptEnvelope(envelope, SerializedPublicKey),
        )
      : await postTo(kith(), "/receive/public", envelope);
    assert.equal(status, 202);
    await kith().settle();
  }

  /** The content of a table, except for the time of the last change. */
  async function rowsOf(table: "photos" | "profiles"): Promise<string[]> {
    const rows = await kith().db.read.selectFrom(table).selectAll().execute();
    return rows
      .map((row) => JSON.stringify({ ...row, updated_at: null }))
      .sort();
  }

  for (const [type, sent] of Object.entries(SENT)) {
    const isPrivate = sent.private === true;
    describe(`case 11: ${type}, from every sender`, () => {
      test(`case 11: ${type} takes effect only by its author, once`, async () => {
        const author = await someone();
        const sameServer = await someone();
        const stranger = await someone(third);
        const make = await sent.by(town, author);
        const entity = await make(author);
        const hostile: string[] = [];
        for (const other of [sameServer, stranger]) {
          const { privateKey } = other;
          const forged = await author.seal(entity, { privateKey });
          const resealed = await other.seal(entity);
          const own = sent.ofAuthor && (await other.seal(await make(other)));
          hostile.push(forged, resealed, ...(own ? [own] : []));
        }
        // Together: user data is compared before and after all of it.
        await unharmed(async () => {
          for (const envelope of hostile)
            for (const toAnn of [false, true]) await deliver(envelope, toAnn);
        }, "by others");
        const envelope = await author.seal(entity);
        if (isPrivate) await unharmed(() => deliver(envelope), "in the open");
        const changed = await changedBy(() => deliver(envelope, isPrivate));
        assert.notDeepEqual(changed, []);
        const { touches } = sent;
        const rows = touches && (await rowsOf(touches));
        const repeated = await changedBy(() => deliver(envelope, isPrivate));
        const others = repeated.filter((table) => table !== touches);
        assert.deepEqual(others, [], "again");
        assert.deepEqual(touches && (await rowsOf(touches)), rows, "again");
      });

      if (sent.toAnn)
        test(`case 11: ${type} of a blocked person has no effect`, async () => {
          const make = await sent.by(town, blocked).catch(() => undefined);
          // A blocked person cannot be made a contact either.
          const entity = await (make ?? (await sent.by(town, await someone())))(
            blocked,
          );
          const envelope = await blocked.seal(entity);
          await unharmed(() => deliver(envelope, isPrivate));
        });
    });
  }

  test("case 14: only retractions of a suspended person take effect", async () => {
    const made: [string, string][] = [];
    for (const [type, sent] of Object.entries(SENT)) {
      const author = await someone();
      const entity = await (await sent.by(town, author))(author);
      made.push([type, await author.seal(entity)]);
      await kith().settle();
      await town.decideOn(author.handle, "suspend");
    }
    await kith().settle();
    const takesBack = ([type]: (typeof made)[number]) =>
      type === "retraction" || type === "account_deletion";
    const deliverAll = async ([, envelope]: (typeof made)[number]) => {
      for (const toAnn of [false, true]) await deliver(envelope, toAnn);
    };
    await unharmed(async () => {
      for (const one of made) if (!takesBack(one)) await deliverAll(one);
    });
    for (const one of made.filter(takesBack))
      assert.notDeepEqual(await changedBy(() => deliverAll(one)), []);
  });

  test("case 11: nothing from a blocked pod takes effect", async () => {
    const mal = await someone(evilPod());
    const author = await someone();
    const made: [string, boolean, string][] = [];
    for (const [type, sent] of Object.entries(SENT)) {
      const owner = type.startsWith("account") ? await someone() : author;
      const make = await sent.by(town, owner);
      for (const who of [mal, owner])
        made.push([
          type,
          sent.private === true,
          await mal.seal(await make(who)),
        ]);
    }
    await town.block();
    await kith().settle();
    for (const [type, isPrivate, envelope] of made)
      await unharmed(() => deliver(envelope, isPrivate), type);
  });
});
