import assert from "node:assert/strict";
import { test } from "node:test";
import { readFixture } from "../../test/vectors.ts";
import { isBaseProfile, retractionTypeOf } from "./entity-kinds.ts";
import { parseEntity } from "./parse-entity.ts";

test("retractable entities have the target type that pods know", () => {
  assert.equal(retractionTypeOf("status_message"), "Post");
  assert.equal(retractionTypeOf("reshare"), "Post");
  assert.equal(retractionTypeOf("poll_participation"), "PollParticipation");
  assert.equal(retractionTypeOf("contact"), undefined);
  for (const name of ["retraction.post", "retraction.comment"]) {
    const entity = parseEntity(readFixture(`entities/${name}.xml`));
    assert.ok(entity.type === "retraction");
    const types = (["status_message", "comment"] as const).map((type) =>
      retractionTypeOf(type),
    );
    assert.ok(types.includes(entity.targetType));
  }
});

test("a base profile has names and images, and no limited properties", () => {
  const isBase = (name: string) => {
    const profile = parseEntity(readFixture(`entities/${name}.xml`));
    assert.ok(profile.type === "profile");
    return isBaseProfile(profile);
  };
  assert.equal(isBase("profile.base-only"), true);
  assert.equal(isBase("profile.limited"), false);
});
