import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MAX_AGE_MS, ReplicaProgress } from "./replica-progress.ts";

describe("how far a replica has followed its primary", () => {
  test("it is as current as the last position of the primary that it has replayed", () => {
    const progress = new ReplicaProgress();
    assert.equal(progress.isYoung(0), false);
    assert.equal(progress.ageMs(0), undefined);
    progress.notePrimary(1_000, 50n);
    progress.noteReplayed(49n);
    assert.equal(progress.isYoung(1_000), false);
    progress.noteReplayed(50n);
    assert.equal(progress.ageMs(1_300), 300);
    progress.notePrimary(2_000, 70n);
    progress.notePrimary(3_000, 90n);
    progress.noteReplayed(80n);
    assert.equal(progress.ageMs(3_000), 1_000);
    assert.equal(progress.isYoung(2_000 + MAX_AGE_MS), true);
    assert.equal(progress.isYoung(2_001 + MAX_AGE_MS), false);
  });

  test("an idle primary makes nothing older", () => {
    const progress = new ReplicaProgress();
    for (const atMs of [0, 60_000, 120_000]) {
      progress.notePrimary(atMs, 7n);
      progress.noteReplayed(7n);
      assert.equal(progress.ageMs(atMs), 0);
    }
  });

  test("a change that must not be missing is there with a position of the primary after it", () => {
    const progress = new ReplicaProgress();
    progress.notePrimary(1_000, 50n);
    progress.noteReplayed(50n);
    progress.require(1_500);
    assert.equal(progress.neededAtMs, 1_500);
    assert.equal(progress.hasAllOf(1_500), false);
    progress.noteReplayed(60n);
    assert.equal(
      progress.hasAllOf(1_500),
      false,
      "60 may be before the change",
    );
    progress.notePrimary(1_600, 60n);
    progress.noteReplayed(60n);
    assert.equal(progress.hasAllOf(1_500), true);
  });

  test("a lost one is not current any more", () => {
    const progress = new ReplicaProgress();
    progress.notePrimary(1_000, 50n);
    progress.noteReplayed(50n);
    progress.forget();
    assert.equal(progress.isYoung(1_000), false);
    assert.equal(progress.hasAllOf(0), false);
  });

  test("one that is ahead of its primary follows another history, until the primary is past it", () => {
    const progress = new ReplicaProgress();
    progress.notePrimary(1_000, 50n);
    progress.noteReplayed(50n);
    for (const [atMs, position] of [
      [2_000, 40n],
      [3_000, 45n],
    ] as const) {
      progress.notePrimary(atMs, position);
      progress.noteReplayed(50n);
      assert.equal(progress.isYoung(atMs), false);
    }
    progress.notePrimary(4_000, 60n);
    progress.noteReplayed(50n);
    assert.equal(progress.isYoung(4_000), false);
    progress.noteReplayed(60n);
    assert.equal(progress.isYoung(4_000), true);
  });

  test("one that stays behind costs little memory, and is found current again", () => {
    const progress = new ReplicaProgress();
    for (let at = 0; at < 100_000; at += 1) {
      progress.notePrimary(at, BigInt(at));
      progress.noteReplayed(0n);
    }
    progress.noteReplayed(99_999n);
    assert.equal(progress.ageMs(99_999), 0);
  });
});
