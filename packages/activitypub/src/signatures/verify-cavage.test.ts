import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KEY_ID, NOW, withHeader } from "../../test/requests.ts";
import { parseHttpSignature } from "./verify.ts";

import { fault, post, sent, verify } from "../../test/signing.ts";

describe("the rules of draft-cavage", () => {
  test("the host must be ours, with or without our port", async () => {
    const at8443 = { origin: "https://kith.example:8443" };
    const request = await post();
    await verify(request, at8443);
    await verify(
      await post(sent, { url: "https://kith.example:8443/inbox" }),
      at8443,
    );
    await assert.rejects(
      verify(request, { origin: "https://other.example" }),
      fault("host-mismatch"),
    );
    await assert.rejects(
      verify(await post(sent, { url: "https://kith.example:8443/inbox" })),
      fault("host-mismatch"),
    );
  });

  test("a signature is valid for 12 hours, and for clocks an hour ahead", async () => {
    const request = await post();
    const at = (seconds: number) => ({
      now: new Date(NOW.getTime() + seconds * 1000),
    });
    await verify(request, at(43_200));
    await verify(request, at(-3600));
    await assert.rejects(
      verify(request, at(43_201)),
      fault("date-out-of-window"),
    );
    await assert.rejects(
      verify(request, at(-3601)),
      fault("date-out-of-window"),
    );
  });

  test("the date must be valid, in UTC", async () => {
    const request = await post();
    for (const date of [
      "",
      "yesterday",
      "Mon, 15 Jun 2026 10:00:00",
      "Mon, 15 Jun 2026 10:00:00 CET",
    ]) {
      await assert.rejects(
        verify(withHeader(request, "date", date)),
        fault("date-out-of-window"),
      );
    }
  });

  test("critical headers must not be repeated", async () => {
    const request = await post();
    for (const name of [
      "Host",
      "Date",
      "Digest",
      "Signature",
      "Content-Digest",
      "Signature-Input",
    ]) {
      const headers: [string, string][] = [
        ...request.headers,
        [name, "x"],
        [name, "x"],
      ];
      assert.throws(
        () => parseHttpSignature({ ...request, headers }),
        fault("duplicate-header"),
      );
    }
  });

  test("other headers may repeat, and are joined", async () => {
    const names = ["(request-target)", "host", "date", "digest", "x-a"];
    const request = await post({ "x-a": "1, 2" }, { signedHeaders: names });
    const headers = request.headers.filter(([name]) => name !== "x-a");
    await verify({
      ...request,
      headers: [["X-A", " 1 "], ...headers, ["x-a", "2"]],
    });
  });

  test("control and wide characters cannot forge a line", async () => {
    const names = ["(request-target)", "host", "date", "digest", "x-a"];
    const request = await post({ "x-a": "1" }, { signedHeaders: names });
    for (const value of ["1\n2", "1\r2", "1\u0131", "1\0"]) {
      await assert.rejects(verify(withHeader(request, "x-a", value)), {
        code: "signature_malformed",
      });
    }
    await assert.rejects(verify({ ...request, path: "http://kith.example/" }), {
      code: "signature_malformed",
    });
  });

  test("the header itself is parsed strictly", async () => {
    const request = await post();
    const value =
      request.headers.find(([name]) => name === "signature")?.[1] ?? "";
    const read = (text: string) =>
      parseHttpSignature(withHeader(request, "signature", text));
    assert.equal(read(value).keyId, KEY_ID);
    assert.equal(read(value.replaceAll(",", " , ")).keyId, KEY_ID);
    for (const broken of [
      "",
      "x",
      value.replace("keyId", "id"),
      value.replace("https:", "acct:"),
      `${value},keyId="https://x.example/"`,
      `${value},KEYID="https://x.example/"`,
      value.replace('signature="', 'signature="*'),
      value.replace(/="$/, '"'),
      value.replace('"(request', "(request"),
      `${value},created=1e9`,
      `${value},expires=soon`,
      value.replace("host", "ho;st"),
      `${value},x="${"y".repeat(9000)}"`,
    ]) {
      assert.throws(
        () => read(broken),
        { code: "signature_malformed" },
        broken,
      );
    }
    assert.throws(
      () => parseHttpSignature(withHeader(request, "signature", undefined)),
      fault("no-signature"),
    );
  });

  test("(created) requires hs2019", async () => {
    const request = await post();
    const value =
      'keyId="https://a.example/k",headers="(request-target) (created) host digest",created=1781517585,signature="AAAA"';
    for (const label of ["", 'algorithm="rsa-sha256",']) {
      await assert.rejects(
        verify(withHeader(request, "signature", label + value)),
        fault("malformed-signature-header"),
      );
    }
    const missing = `algorithm="hs2019",${value.replace("created=1781517585,", "")}`;
    await assert.rejects(
      verify(withHeader(request, "signature", missing)),
      fault("listed-header-missing"),
    );
  });
});
