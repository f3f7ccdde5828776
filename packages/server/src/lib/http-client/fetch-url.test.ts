import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { FetchRefused } from "./fetch-refused.ts";
import { checkUrl } from "./fetch-url.ts";

const HOSTILE: Record<string, string[]> = {
  scheme: [
    "http://example.org/",
    "HTTP://example.org/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "data:text/plain,hello",
    "javascript:alert(1)",
    "ws://example.org/",
    "blob:https://example.org/1",
    "dict://example.org:11211/stat",
    "view-source:https://example.org/",
    "acct:alice@example.org".replace("@", "%40"),
  ],
  port: [
    "https://example.org:1/",
    "https://example.org:0/",
    "https://example.org:22/",
    "https://example.org:25/",
    "https://example.org:80/",
    "https://example.org:444/",
    "https://example.org:1023/",
    "https://example.org:0080/",
  ],
  userinfo: [
    "https://user@example.org/",
    "https://user:password@example.org/",
    "https://:password@example.org/",
    "https://@example.org/",
    "https://example.org@127.0.0.1/",
    "https://example.org:443@127.0.0.1/",
    "https://example.org%2f@127.0.0.1/",
    "https:@127.0.0.1/",
  ],
  url: [
    "",
    "example.org",
    "//example.org/",
    "/relative",
    "https://",
    "https://?",
    "https:///",
    "https://example.org:99999/",
    "https://example.org:port/",
    "https://exa mple.org/",
    " https://example.org/",
    "https://example.org/\n",
    "https://example.org/\r\nHost: evil",
    "https://exam\tple.org/",
    "https:\\\\127.0.0.1\\",
    "https://example.org\\@127.0.0.1/",
    "https://example.org/\u0000",
    "https://[::1/",
    "https://[::ffff:127.0.0.1.]/",
    "https://[fe80::1%25eth0]/",
    "https://1.2.3.4.5/",
    "https://256.256.256.256/",
    "https://foo.0x7f/",
    "https://example.org%00.evil.org/",
    "https://exa<mple.org/",
    `https://example.org/${"a".repeat(2048)}`,
    `https://example.org/${"ä".repeat(500)}`,
  ],
  host: [
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://8.8.8.8/",
    "https://0.0.0.0/",
    "https://0/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0x7F.0x0.0x0.0x1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://00000177.0.0.1/",
    "https://1.1/",
    "https://%31%32%37.0.0.1/",
    "https://１２７.０.０.１/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://192.168.1.1:8443/",
    "https://[::1]/",
    "https://[::]/",
    "https://[0:0:0:0:0:0:0:1]:8443/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:7f00:1::]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://localhost./",
    "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "https://router/",
    "https://kubernetes/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://printer.local./",
    "https://PRINTER.LOCAL/",
    "https://metadata.google.internal/",
    "https://nas.home.arpa/",
    "https://facebookcorewwwi.onion/",
    "https://stats.i2p/",
    "https://example.org../",
    "https://.example.org/",
    "https://exa..mple/",
    `https://${"a".repeat(64)}.example/`,
    `https://${"a.".repeat(130)}example/`,
  ],
};

function reasonOf(raw: string, allowPrivateNetwork: boolean): string {
  try {
    checkUrl(raw, allowPrivateNetwork);
    return "none";
  } catch (error) {
    return error instanceof FetchRefused ? error.reason : String(error);
  }
}

describe("hostile URLs", async () => {
  const resolved: string[] = [];
  const strict = createGuardedFetch({
    allowPrivateNetwork: false,
    userAgent: "Kith/test",
    resolve: (host) => {
      resolved.push(host);
      return Promise.reject(new Error("must not be asked"));
    },
  });
  for (const [reason, urls] of Object.entries(HOSTILE)) {
    for (const url of urls) {
      const shown = JSON.stringify(url.length > 60 ? url.slice(0, 60) : url);
      test(`${shown}: ${reason}`, async () => {
        assert.equal(reasonOf(url, false), reason);
        const request = strict.request({ method: "GET", url, maxBytes: 1 });
        await assert.rejects(request, { name: "FetchRefused", reason });
        assert.deepEqual(resolved, []);
      });
    }
  }
  await strict.close();
});

test("ordinary URLs are admitted and normalised", () => {
  const cases: [string, string][] = [
    ["https://example.org", "https://example.org/"],
    ["https://EXAMPLE.org./a?b#c", "https://example.org/a?b"],
    ["https://example.org:443/", "https://example.org/"],
    ["https://example.org:8443/", "https://example.org:8443/"],
    ["https://example.org:1024/", "https://example.org:1024/"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://pod.test/", "https://pod.test/"],
    ["https://mylocal.example/", "https://mylocal.example/"],
    ["https://example.org/@alice", "https://example.org/@alice"],
    ["https://example.org/?a@b", "https://example.org/?a@b"],
  ];
  for (const [raw, normal] of cases) {
    assert.equal(checkUrl(raw, false).href, normal);
  }
});

test("the private network admits its own hosts, and no more", () => {
  const admitted = [
    "http://localhost:3000/",
    "http://localhost/",
    "https://localhost:80/",
    "http://kith:3000/",
    "http://a.localhost:22/",
    "http://127.0.0.1:3000/",
    "http://127.1:3000/",
    "http://[::1]:3000/",
    "http://10.0.0.1/",
    "https://192.168.1.1/",
    "http://[fd00::1]/",
    "http://pod.example/",
  ];
  for (const url of admitted) assert.equal(reasonOf(url, true), "none", url);
  const refused = {
    "http://8.8.8.8/": "host",
    "http://169.254.169.254/": "host",
    "http://0.0.0.0/": "host",
    "http://[::]/": "host",
    "http://[fe80::1]/": "host",
    "http://[64:ff9b::7f00:1]/": "host",
    "http://printer.local/": "host",
    "http://x.onion/": "host",
    "http://localhost:0/": "port",
    "file:///etc/passwd": "scheme",
    "http://a@localhost/": "userinfo",
  };
  for (const [url, reason] of Object.entries(refused)) {
    assert.equal(reasonOf(url, true), reason, url);
  }
});
