import assert from "node:assert/strict";
import { test } from "node:test";
import { arrived } from "../../test/requests.ts";
import { BODY, INBOX, sent, signer } from "../../test/signing.ts";
import { signCavage, signRfc9421 } from "./sign.ts";
import { parseHttpSignature, signedHeader } from "./verify.ts";

const NAME = "collection-synchronization";
const request = {
  method: "POST",
  url: INBOX,
  headers: { ...sent, [NAME]: "said" },
  body: BODY,
  ...signer,
};

test("a header counts when the signature covers it, in both schemes", async () => {
  for (const headers of [
    await signCavage(request),
    await signRfc9421(request),
  ]) {
    const received = arrived("POST", INBOX, headers, BODY);
    const parsed = parseHttpSignature(received);
    assert.equal(signedHeader(received, parsed, NAME), "said");
    assert.equal(signedHeader(received, parsed, "x-other"), undefined);
    const twice = { ...received, headers: [...received.headers] };
    twice.headers.push(["Collection-Synchronization", "more"]);
    assert.equal(signedHeader(twice, parsed, NAME), undefined);
  }
});

test("an unsigned header does not count", async () => {
  const signedHeaders = ["(request-target)", "host", "date", "digest"];
  const components = ["@method", "@target-uri", "content-digest"];
  for (const headers of [
    await signCavage({ ...request, signedHeaders }),
    await signRfc9421({ ...request, components }),
  ]) {
    const received = arrived("POST", INBOX, headers, BODY);
    const parsed = parseHttpSignature(received);
    assert.ok(received.headers.some(([name]) => name.toLowerCase() === NAME));
    assert.equal(signedHeader(received, parsed, NAME), undefined);
  }
});
