import assert from "node:assert/strict";
import { test } from "node:test";
import {
  loadJsonLd,
  type FetchDocument,
  type JsonObject,
} from "@kith/activitypub";
import { fetchActor, fetchObject } from "./fetch-own.ts";

const jsonLd = await loadJsonLd();
const HOME = "https://home.example";
const EVIL = "https://evil.example";

/** A network with these documents, by URL, and some redirects. */
function network(
  documents: Readonly<Record<string, JsonObject>>,
  redirects: Readonly<Record<string, string>> = {},
  contentType = "application/activity+json",
) {
  const asked: string[] = [];
  const fetchDocument: FetchDocument = async (url) => {
    asked.push(url);
    const finalUrl = redirects[url] ?? url;
    const document = documents[finalUrl];
    const body = Buffer.from(JSON.stringify(document ?? {}));
    return { status: document ? 200 : 404, contentType, finalUrl, body };
  };
  return { asked, deps: { fetchDocument, jsonLd } };
}

const note = (id: string) => ({ id, type: "Note", content: "x" });

test("an object counts under its own id", async () => {
  const uri = `${HOME}/notes/1`;
  const { asked, deps } = network({ [uri]: note(uri) });
  assert.equal((await fetchObject(deps, uri))?.["id"], uri);
  assert.deepEqual(asked, [uri]);
});

test("a document that names another id is fetched from there, once", async () => {
  const [page, uri] = [`${HOME}/@ann/1`, `${HOME}/notes/1`];
  const { asked, deps } = network({
    [page]: { ...note(uri), content: "forged" },
    [uri]: note(uri),
  });
  assert.equal((await fetchObject(deps, page))?.["content"], "x");
  assert.deepEqual(asked, [page, uri]);

  const circle = network({
    [page]: note(uri),
    [uri]: note(`${HOME}/notes/2`),
    [`${HOME}/notes/2`]: note(`${HOME}/notes/2`),
  });
  assert.equal(await fetchObject(circle.deps, page), undefined);
  assert.equal(circle.asked.length, 2);
});

test("nobody else's copy of an object counts, nor one behind a redirect", async () => {
  const [copy, uri] = [`${EVIL}/copy`, `${HOME}/notes/1`];
  const gone = network({ [copy]: note(uri) });
  assert.equal(await fetchObject(gone.deps, copy), undefined);
  const led = network({ [copy]: note(uri) }, { [uri]: copy });
  assert.equal(await fetchObject(led.deps, uri), undefined);
  const uploaded = network({ [uri]: note(uri) }, {}, "image/png");
  assert.equal(await fetchObject(uploaded.deps, uri), undefined);
  for (const id of [undefined, 7, "not a URL", "javascript:alert(1)"]) {
    const bad = network({
      [uri]: { type: "Note", ...(id !== undefined && { id }) },
    });
    assert.equal(await fetchObject(bad.deps, uri), undefined);
    assert.deepEqual(bad.asked, [uri]);
  }
});

test("a document whose context makes its author somebody else is refused", async () => {
  const uri = `${EVIL}/notes/1`;
  const { deps } = network({
    [uri]: {
      "@context": [
        "https://www.w3.org/ns/activitystreams",
        { attributedTo: "https://evil.example/ns#y", by: "as:attributedTo" },
      ],
      ...note(uri),
      attributedTo: `${EVIL}/users/eve`,
      by: `${HOME}/users/ann`,
    },
  });
  await assert.rejects(fetchObject(deps, uri), { code: "unsupported" });
});

test("an actor counts at its own address alone", async () => {
  const [uri, moved] = [`${HOME}/users/ann`, `${HOME}/people/ann`];
  const actor = {
    id: uri,
    type: "Person",
    preferredUsername: "ann",
    inbox: `${uri}/inbox`,
  };
  assert.equal(
    (await fetchActor(network({ [uri]: actor }).deps, uri))?.id,
    uri,
  );
  const led = network({ [moved]: actor }, { [uri]: moved });
  assert.equal(await fetchActor(led.deps, uri), undefined);
  assert.equal(
    await fetchActor(network({ [moved]: actor }).deps, moved),
    undefined,
  );
});
