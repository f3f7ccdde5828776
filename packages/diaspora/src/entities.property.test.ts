import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { arbitraryEntities } from "../test/arbitrary-entities.ts";
import { privateKeyOf, publicKeyOf } from "../test/vectors.ts";
import {
  buildEntity,
  buildRelayed,
  isRelayable,
  parseEntity,
  relayableSignatureBase,
  signRelayable,
  verifyAuthorSignature,
} from "./index.ts";
import type { Entity } from "./index.ts";

for (const [type, arbitrary] of Object.entries(arbitraryEntities)) {
  test(`any valid ${type} round-trips`, () => {
    fc.assert(
      fc.property(arbitrary, (entity) => {
        const read = parseEntity(buildEntity(entity));
        assert.deepEqual(withoutSigned(read), entity);
        assert.equal(buildEntity(read), buildEntity(entity));
      }),
      { numRuns: 150 },
    );
  });
}

for (const [type, arbitrary] of Object.entries(arbitraryEntities)) {
  test(`any ${type} that can be signed verifies after two hops`, async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (entity) => {
        if (!isRelayable(entity)) return;
        if (entity.type === "comment" && entity.text.trim() === "") return;
        const signed = await signRelayable(entity, privateKeyOf("alice"));
        const first = parseEntity(buildEntity(signed));
        assert.deepEqual(first, signed);
        assert.ok(isRelayable(first));
        const second = parseEntity(buildRelayed(first));
        assert.deepEqual(second, first);
        assert.ok(isRelayable(second));
        assert.equal(
          relayableSignatureBase(second),
          relayableSignatureBase(signed),
        );
        assert.ok(await verifyAuthorSignature(second, publicKeyOf("alice")));
        assert.ok(!(await verifyAuthorSignature(second, publicKeyOf("carol"))));
      }),
      { numRuns: 20 },
    );
  });
}

function withoutSigned(entity: Entity): Entity {
  if (!isRelayable(entity)) return entity;
  const { signed, ...rest } = entity;
  assert.ok(signed);
  return rest;
}
