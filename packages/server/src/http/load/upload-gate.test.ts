import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { FastifyReply, FastifyRequest } from "fastify";
import { KithError } from "../../lib/errors.ts";
import { createUploadGate } from "./upload-gate.ts";

const MEGABYTE = 1024 * 1024;

function exchange(length: string | undefined) {
  const raw = new EventEmitter();
  const headers = length === undefined ? {} : { "content-length": length };
  const server = { uploadBytes: 20.5 * MEGABYTE };
  const request = { headers, server, mayUpload: false };
  return {
    request: request as unknown as FastifyRequest,
    reply: { raw } as unknown as FastifyReply,
    close: () => raw.emit("close"),
  };
}

test("uploads are let in as long as they fit, and make room when they end", () => {
  const admit = createUploadGate(50 * MEGABYTE);
  const first = exchange(String(20 * MEGABYTE));
  const second = exchange(undefined);
  const third = exchange(String(15 * MEGABYTE));
  for (const { request, reply } of [first, second]) admit(request, reply);
  assert.equal(first.request.mayUpload, true);
  const isUnavailable = (error: unknown) =>
    error instanceof KithError && error.code === "unavailable";
  assert.throws(() => admit(third.request, third.reply), isUnavailable);
  assert.equal(third.request.mayUpload, false);
  first.close();
  first.close();
  admit(third.request, third.reply);
  const fourth = exchange("nonsense");
  assert.throws(() => admit(fourth.request, fourth.reply), isUnavailable);
});
