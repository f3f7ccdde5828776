import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../../test/fault.ts";
import { privateKeyOf, publicKeyOf } from "../../test/vectors.ts";
import {
  migrationIdentities,
  migrationSignatureBase,
  signMigration,
  verifyMigrationSignature,
} from "./account-migration.ts";
import { buildEntity } from "./build-entity.ts";
import type { AccountMigration } from "./person-types.ts";
import { parseEntity } from "./parse-entity.ts";

const OLD = "alice@pod-a.example";
const NEW = "alice@new-pod.example";

function migration(author: string, signature: string): AccountMigration {
  return {
    type: "account_migration",
    author,
    profile: {
      type: "profile",
      author: NEW,
      firstName: "Alice",
      searchable: true,
      public: false,
      nsfw: false,
    },
    signature,
    oldIdentity: OLD,
  };
}

test("old and new identity are recognized, whichever is the author", () => {
  const both = { oldHandle: OLD, newHandle: NEW };
  assert.deepEqual(migrationIdentities(migration(OLD, "x")), {
    ...both,
    signer: NEW,
  });
  assert.deepEqual(migrationIdentities(migration(NEW, "x")), {
    ...both,
    signer: OLD,
  });
  assert.equal(
    migrationSignatureBase(OLD, NEW),
    `AccountMigration:${OLD}:${NEW}`,
  );
});

test("only the other identity's signature counts", async () => {
  const byNew = await signMigration(OLD, NEW, privateKeyOf("alice_new"));
  const sent = parseEntity(buildEntity(migration(OLD, byNew)));
  assert.ok(sent.type === "account_migration");
  assert.ok(await verifyMigrationSignature(sent, publicKeyOf("alice_new")));
  assert.ok(!(await verifyMigrationSignature(sent, publicKeyOf("alice"))));
  const swapped = await signMigration(NEW, OLD, privateKeyOf("alice_new"));
  const wrong = migration(OLD, swapped);
  assert.ok(!(await verifyMigrationSignature(wrong, publicKeyOf("alice_new"))));
  const garbage = migration(OLD, "?");
  assert.ok(
    !(await verifyMigrationSignature(garbage, publicKeyOf("alice_new"))),
  );
});

test("an unusable key throws an error", async () => {
  await assert.rejects(
    verifyMigrationSignature(migration(OLD, "QQ=="), ""),
    fault("signature", "bad_key"),
  );
  await assert.rejects(
    signMigration(OLD, NEW, ""),
    fault("signature", "bad_key"),
  );
});

test("the new identity must name the old one, and not itself", () => {
  const { oldIdentity, ...without } = migration(NEW, "QQ==");
  assert.equal(oldIdentity, OLD);
  for (const one of [without, { ...without, oldIdentity: NEW }]) {
    assert.throws(
      () => buildEntity(one),
      fault("validation", "invalid_property"),
    );
  }
});
