import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ActivityPubError } from "../errors.ts";
import { KEY_ID, NOW, arrived, options, rsa } from "../../test/requests.ts";
import type { ReceivedRequest } from "./request.ts";
import { signCavage, signRfc9421 } from "./sign.ts";
import { parseHttpSignature, verifyHttpSignature } from "./verify.ts";

const headerText = fc
  .string({
    unit: fc
      .integer({ min: 0x20, max: 0x7e })
      .map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  .map((text) => text.trim());
const headerName = fc.stringMatching(/^x-[a-z0-9-]{1,12}$/);
const requests = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT"),
  path: fc.webPath(),
  query: fc.option(fc.webQueryParameters(), { nil: undefined }),
  headers: fc.dictionary(headerName, headerText, { maxKeys: 5 }),
  body: fc.uint8Array({ maxLength: 300 }),
});
type Example = typeof requests extends fc.Arbitrary<infer T> ? T : never;

async function signed(
  example: Example,
  scheme: "cavage" | "rfc9421",
): Promise<ReceivedRequest> {
  const { method, path, query, headers } = example;
  const url = `https://kith.example/x${path}${query === undefined ? "" : `?${query}`}`;
  const body = method === "GET" ? undefined : example.body;
  const request = {
    method,
    url,
    headers,
    keyId: KEY_ID,
    privateKey: rsa.privateKey,
    now: NOW,
    ...(body !== undefined && { body }),
  };
  const extra = Object.keys(headers);
  const out =
    scheme === "cavage"
      ? await signCavage({
          ...request,
          signedHeaders: [
            "(request-target)",
            "host",
            "date",
            ...(body === undefined ? [] : ["digest"]),
            ...extra,
          ],
        })
      : await signRfc9421({
          ...request,
          components: [
            "@method",
            "@target-uri",
            ...(body === undefined ? [] : ["content-digest"]),
            ...extra,
          ],
        });
  return arrived(method, url, out, body);
}

async function verify(request: ReceivedRequest): Promise<void> {
  await verifyHttpSignature(
    request,
    parseHttpSignature(request),
    rsa.publicKey,
    options,
  );
}

/** Flips one bit of one byte of a text, at or after a place. */
function flip(text: string, seed: number, from = 0): string {
  const at = from + (seed % (text.length - from));
  const code = text.charCodeAt(at) ^ (1 << (seed % 7));
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

const SIGNED_HEADER = /^(?:x-|(?:content-)?digest$|signature$)/;

/** Changes one signed part; undefined when the change has no meaning, such as blanks around a value. */
function tamper(
  request: ReceivedRequest,
  part: number,
  seed: number,
): ReceivedRequest | undefined {
  const lines = request.headers.filter(
    ([name, value]) => value !== "" && SIGNED_HEADER.test(name),
  );
  const choice = part % (lines.length + 2);
  if (choice === 0) return { ...request, path: flip(request.path, seed) };
  if (choice === 1) {
    if (request.body === undefined || request.body.length === 0) {
      return undefined;
    }
    const body = Uint8Array.from(request.body);
    const at = seed % body.length;
    body[at] = (body[at] ?? 0) ^ (1 << (seed % 8));
    return { ...request, body };
  }
  const line = lines[choice - 2];
  assert.ok(line);
  const [name, value] = line;
  // The parameters in front are not signed: another key id leads to another key.
  const from = name === "signature" ? value.length - 300 : 0;
  const changed = flip(value, seed, from);
  if (changed.trim() === value) return undefined;
  const headers = request.headers.map((known): [string, string] =>
    known === line ? [name, changed] : known,
  );
  return { ...request, headers };
}

for (const scheme of ["cavage", "rfc9421"] as const) {
  describe(`properties of ${scheme}`, () => {
    test("signed requests verify", async () => {
      await fc.assert(
        fc.asyncProperty(requests, async (example) => {
          await verify(await signed(example, scheme));
        }),
        { numRuns: 150 },
      );
    });

    test("a change of one bit of a signed part is refused", async () => {
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(
          requests,
          fc.nat(),
          fc.nat(),
          async (example, part, seed) => {
            const request = await signed(example, scheme);
            const changed = tamper(request, part, seed);
            if (changed === undefined) return;
            await assert.rejects(verify(changed), ActivityPubError);
            refused += 1;
          },
        ),
        { numRuns: 400 },
      );
      assert.ok(refused > 200);
    });

    test("arbitrary signature headers raise nothing but ActivityPubError", () => {
      const part = fc.constantFrom(
        'keyId="https://a.example/"',
        "sig1=",
        '("@method")',
        ";",
        ",",
        '"',
        "\\",
        ":AAAA:",
        'signature="AAAA"',
        'headers="date"',
        " ",
        "=",
        "(",
        ")",
        "created=1",
      );
      const text = fc
        .array(fc.oneof(part, fc.string()), { maxLength: 12 })
        .map((parts) => parts.join(""));
      fc.assert(
        fc.property(text, text, (signature, input) => {
          const headers: [string, string][] = [["signature", signature]];
          if (scheme === "rfc9421") headers.push(["signature-input", input]);
          try {
            parseHttpSignature({ method: "GET", path: "/", headers });
          } catch (error) {
            assert.ok(error instanceof ActivityPubError, String(error));
          }
        }),
        { numRuns: 2000 },
      );
    });
  });
}
