import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { signCavage } from "@kith/activitypub";
import type { FastifyRequest } from "fastify";
import { TestClock } from "../../../../test/support/server/test-clock.ts";
import {
  NO_ADDRESSES,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { NO_LIMITS } from "../../../lib/limits/limits.ts";
import { createSignatureFailureLimiter } from "../../inbound/signature-failure-limiter.ts";
import type { RemotePeople } from "../../remote-people/remote-people.ts";
import type { Uris } from "../records/uris.ts";
import { createVerifyRequest } from "./verify-request.ts";

const KEY_ID = "https://known.example/actor#key";
const { privateKey, publicKey } = generateKeyPairSync("ed25519");

test("twelve thousand made-up keys do not push out one that is in use", async () => {
  const clock = new TestClock();
  clock.stopAt(new Date("2026-01-01T00:00:00.000Z"));
  let looked = 0;
  const owner = {
    ...{ id: 1, handle: "alice@known.example", state: "active" },
    addresses: NO_ADDRESSES,
  } as Person;
  const remotePeople = {
    findKey: async (keyId: string) => {
      if (keyId !== KEY_ID) return undefined;
      looked += 1;
      const publicKeyPem = publicKey.export({ type: "spki", format: "pem" });
      const fetchedAt = clock.now().toISOString();
      return { personId: owner.id, publicKeyPem, fetchedAt };
    },
  };
  const people = {
    find: async () => owner,
    findState: async () => owner.state,
  };
  const verify = createVerifyRequest({
    ...{ clock, people: people as unknown as People },
    remotePeople: remotePeople as Partial<RemotePeople> as RemotePeople,
    fetchKey: async () => {
      throw new KithError("unauthorized", "It is nobody's.");
    },
    uris: {
      isLocal: () => false,
      baseUrl: "https://kith.test",
    } as Partial<Uris> as Uris,
    blockedHosts: { isBlocked: async () => false, refuse: () => undefined },
    unproven: createSignatureFailureLimiter({ limits: NO_LIMITS, clock }),
  });
  const headers = await signCavage({
    ...{ method: "GET", url: "https://kith.test/people/1", headers: {} },
    ...{ keyId: KEY_ID, privateKey, now: clock.now() },
  });
  const requestBy = (keyId: string) => {
    const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [
      name,
      value.replace(KEY_ID, keyId),
    ]);
    const raw = { rawHeaders, url: "/people/1" };
    return { method: "GET", raw, network: "192.0.2.1" } as FastifyRequest;
  };
  assert.equal(await verify(requestBy(KEY_ID)), owner);
  for (let n = 0; n < 12_000; n += 1)
    await assert.rejects(
      verify(requestBy(`https://made-up.example/${n}#key`)),
      {
        code: "unauthorized",
        message: "It is nobody's.",
      },
    );
  assert.equal(await verify(requestBy(KEY_ID)), owner);
  assert.equal(looked, 1, "It was looked up in the database again");
});
