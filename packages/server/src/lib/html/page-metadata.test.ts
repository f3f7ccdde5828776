import assert from "node:assert/strict";
import { test } from "node:test";
import { readPageMetadata, type PageMetadata } from "./page-metadata.ts";

/** The fields that were found. */
function read(html: string): PageMetadata {
  return Object.fromEntries(
    Object.entries(readPageMetadata(html)).filter(([, value]) => value),
  );
}

test("Open Graph comes before Twitter, and that before the names of HTML", () => {
  const plain = `<title>plain</title><meta name=description content="plain too">`;
  const twitter = `<meta name="twitter:title" content="tweeted">
    <meta name="twitter:image" content="/t.png">`;
  const graph = `<meta property="og:title" content="graph">
    <meta property=og:image content=/o.png><meta property="og:site_name" content="Site">`;
  assert.deepEqual(read(`<head>${plain}`), {
    title: "plain",
    description: "plain too",
  });
  assert.deepEqual(read(`<head>${plain}${twitter}`), {
    title: "tweeted",
    description: "plain too",
    imageUrl: "/t.png",
  });
  assert.deepEqual(read(`<head>${plain}${twitter}${graph}`), {
    title: "graph",
    description: "plain too",
    siteName: "Site",
    imageUrl: "/o.png",
  });
});

test("the first of several counts, blank ones do not", () => {
  const html = `<META NAME=" " CONTENT=x><META PROPERTY="OG:TITLE" CONTENT="  ">
    <meta property="og:title" content="one"><meta property="og:title" content="two">
    <meta name="author" content="Ann &amp; Bob">`;
  assert.deepEqual(read(html), { title: "one", authorName: "Ann & Bob" });
});

test("markup within a title is text", () => {
  assert.deepEqual(read("<title><script>alert(1)</script> &lt;b></title>"), {
    title: "<script>alert(1)</script> <b>",
  });
});

test("nothing after the head is read, and nothing in scripts", () => {
  const html = `<head><script>var a = '<meta property="og:title" content="script">'</script>
    <style><title>style</title></style><!-- <title>comment</title> --></head>
    <body><title>body</title><meta property="og:title" content="body">`;
  assert.deepEqual(read(html), {});
});

test("the address of an oEmbed document in JSON", () => {
  const link = (rel: string, type: string) =>
    `<link rel="${rel}" type="${type}" href="/oembed?a=1&amp;b=2">`;
  const json = "application/json+oembed";
  assert.deepEqual(read(link("nofollow Alternate", json)), {
    oembedUrl: "/oembed?a=1&b=2",
  });
  assert.deepEqual(read(link("alternate", "text/xml+oembed")), {});
  assert.deepEqual(read(link("canonical", json)), {});
});

test("names of object properties are no metadata", () => {
  const html = `<meta property="__proto__" content=x __proto__=y constructor=z>
    <meta name="constructor" content=x><meta><link>`;
  assert.deepEqual(read(html), {});
});

test("a million tags take no longer than the page that holds them", () => {
  const half = 250_000;
  const open = "<a>".repeat(half / 3);
  const close = "</b>".repeat(half / 4);
  const attributes = `<meta ${Array.from({ length: half / 5 }, (_, at) => `a${at}`).join(" ")}>`;
  const started = performance.now();
  for (const html of [open + close, attributes, "<meta ".repeat(half / 6)])
    assert.deepEqual(read(html), {});
  assert.ok(performance.now() - started < 5_000);
  const long = read(`<title>${"x".repeat(half)}</title>`).title ?? "";
  assert.ok(long.length > 0 && long.length <= 8_192);
});
