import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  useTestServer,
  type Handler,
} from "../../lib/http-client/guarded-fetch.fixture.ts";
import { readPage } from "./read-page.ts";

const FAILED = { kind: "failed" };
const NOTHING = { kind: "nothing" };
const EMPTY = {
  description: null,
  siteName: null,
  authorName: null,
  imageUrl: null,
};

const html =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    void response
      .writeHead(200, { "content-type": "text/html", ...headers })
      .end(body);

describe("the metadata of a linked page", () => {
  const site = useTestServer();
  const read = (url: string) =>
    readPage({ fetch: site.open }, url, new AbortController().signal);
  const titled = (title: string) => ({
    kind: "read",
    summary: { ...EMPTY, title },
  });

  test("its texts are lines of bounded length, its picture an absolute address", async () => {
    site.handler = html(
      `<base href="https://evil.example/"><title>${"t".repeat(300)}\u202e</title>
      <meta name=description content="a\n\nb${"d".repeat(600)}"><meta name=author content="${"a".repeat(200)}">
      <meta property="og:site_name" content="S\u0000\u2066ite"><meta property="og:image" content="../i.png#x">`,
      { "content-type": "text/html; charset=utf-8" },
    );
    const page = await read(site.at("/deep/page"));
    assert.ok(page.kind === "read");
    const { title, description, authorName, ...rest } = page.summary;
    assert.equal(title, `${"t".repeat(199)}…`);
    assert.equal(description?.length, 500);
    assert.ok(description?.startsWith("a b"));
    assert.equal(authorName?.length, 100);
    assert.deepEqual(rest, {
      siteName: "S\uFFFDite",
      imageUrl: site.at("/i.png"),
    });
  });

  test("a picture that is no web address is left out", async () => {
    for (const content of [
      ...[
        "javascript:alert(1)",
        "data:image/png;base64,AA",
        "file:///etc/passwd",
      ],
      ...["https://u:p@host.example/", `/${"x".repeat(3_000)}`, "http://"],
    ]) {
      site.handler = html(
        `<title>t</title><meta property=og:image content="${content}">`,
      );
      assert.deepEqual(await read(site.at("/")), titled("t"), content);
    }
  });

  test("its encoding is the one that it names", async () => {
    site.handler = html(Buffer.from("<title>ü</title>", "latin1"), {
      "content-type": "text/html; charset=ISO-8859-1",
    });
    assert.deepEqual(await read(site.at("/")), titled("ü"));
    site.handler = html("<title>ü</title>", {
      "content-type": "text/html; charset=bogus",
    });
    assert.deepEqual(await read(site.at("/")), titled("ü"));
  });

  test("of a huge page, and of one that unpacks to one, the beginning is read", async () => {
    const huge = Buffer.concat([
      Buffer.from("<title>huge</title>"),
      Buffer.alloc(20_000_000, "<p>"),
    ]);
    site.handler = html(huge);
    assert.deepEqual(await read(site.at("/")), titled("huge"));
    site.handler = html(gzipSync(huge), { "content-encoding": "gzip" });
    assert.deepEqual(await read(site.at("/")), titled("huge"));
    site.handler = html(`${"<div>".repeat(1_000_000)}<title>too late</title>`);
    assert.deepEqual(await read(site.at("/")), NOTHING);
  });

  test("redirects are followed, a loop is not", async () => {
    site.handler = (request, response) =>
      request.url === "/end"
        ? html("<title>end</title>")(request, response)
        : void response.writeHead(302, { location: "/end" }).end();
    assert.deepEqual(await read(site.at("/start")), titled("end"));
    site.handler = (_request, response) =>
      void response.writeHead(302, { location: "/again" }).end();
    assert.deepEqual(await read(site.at("/loop")), FAILED);
    assert.ok(site.requests.length < 10);
  });

  test("a page in the private network is not read, nor one that leads there", async () => {
    const signal = new AbortController().signal;
    for (const url of [site.at("/"), site.at("/", "inner.example")]) {
      const page = await readPage({ fetch: site.strict }, url, signal);
      assert.deepEqual(page, FAILED);
    }
    assert.deepEqual(site.requests, []);
  });

  test("a response that is no page, or a page that is gone, says nothing", async () => {
    for (const type of ["image/png", "application/json", "text/plain", ""]) {
      site.handler = html("<title>t</title>", { "content-type": type });
      assert.deepEqual(await read(site.at("/")), NOTHING, type);
    }
    for (const status of [404, 410, 500, 403, 204]) {
      site.handler = (_request, response) =>
        void response.writeHead(status).end();
      const { kind } = await read(site.at("/"));
      assert.equal(kind, [404, 410].includes(status) ? "nothing" : "failed");
    }
    site.handler = html("<title> \n\u202e</title>");
    assert.deepEqual(await read(site.at("/")), NOTHING);
    const gone = { ...FAILED, unreachableHost: "gone.example" };
    assert.deepEqual(await read("http://gone.example/"), gone);
  });

  test("a page that never ends is given up", async () => {
    const started = performance.now();
    site.handler = (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<title>slow");
      const timer = setInterval(() => response.write("o"), 200);
      response.on("close", () => clearInterval(timer));
    };
    assert.deepEqual(await read(site.at("/")), FAILED);
    assert.ok(performance.now() - started < 12_000);
  });

  test("an oEmbed document adds what the page lacks", async () => {
    const respond = (document: string, status = 200): void => {
      site.handler = (request, response) =>
        request.url === "/oembed"
          ? void response.writeHead(status).end(document)
          : html(`<meta property=og:title content=page>
              <link rel=alternate type=application/json+oembed href=/oembed>`)(
              request,
              response,
            );
    };
    respond(
      JSON.stringify({
        ...{ type: "link", title: "other", html: "<script>" },
        ...{ author_name: "Ann", provider_name: 5, thumbnail_url: "/t.png" },
      }),
    );
    const imageUrl = site.at("/t.png");
    assert.deepEqual(await read(site.at("/")), {
      kind: "read",
      summary: { ...EMPTY, title: "page", authorName: "Ann", imageUrl },
    });
    for (const document of ["", "[", "null", "[1]", "7", "[".repeat(50_000)]) {
      respond(document);
      assert.deepEqual(await read(site.at("/")), titled("page"));
    }
    respond(JSON.stringify({ author_name: "x".repeat(70_000) }));
    assert.deepEqual(await read(site.at("/")), titled("page"));
    respond("{}", 500);
    assert.deepEqual(await read(site.at("/")), titled("page"));
  });

  test("a complete page needs no oEmbed document", async () => {
    site.handler =
      html(`<title>t</title><meta name=author content=a><meta property=og:image content=/i>
      <link rel=alternate type=application/json+oembed href=/oembed>`);
    await read(site.at("/"));
    assert.equal(site.requests.length, 1);
  });

  test("stopping the server stops the visit", async () => {
    const stop = new AbortController();
    site.handler = () => stop.abort(new Error("stopped"));
    await assert.rejects(
      readPage({ fetch: site.open }, site.at("/"), stop.signal),
      /stopped/,
    );
  });
});
