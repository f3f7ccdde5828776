import assert from "node:assert/strict";
import { test } from "node:test";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
  SettingsRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  type Spoken<T> = T & { readonly Language?: string };
  const publish = (by: TestPerson, post: string, language?: string) =>
    by.post<Spoken<PostRecord>>("/posts", {
      ...{ post, audience: "everyone" },
      ...(language !== undefined && { language }),
    });
  const read = (who: TestPerson, ReadLanguages: readonly string[]) =>
    who.call("PUT", "/settings", { json: { ReadLanguages } });
  const follow = async (by: TestPerson, whom: TestPerson) => {
    const { ID } = await by.post<AspectRecord>("/aspects", { name: "a" });
    await by.post(`/people/${whom.record.ID}/aspects/${ID}`);
  };
  const textsOf = (list: readonly PostRecord[]) => list.map(({ Text }) => Text);
  const home = async (who: TestPerson, query: Record<string, string> = {}) =>
    textsOf(await who.get<PostRecord[]>("/home", query));

  test("texts of a user are in its usual language, unless one is named", async () => {
    const ann = await kith().person();
    const PostLanguage = "pt-br";
    const saved = await ann.put<SettingsRecord>("/settings", { PostLanguage });
    assert.equal(saved.PostLanguage, "pt-BR");
    const usual = await publish(ann, "Olá");
    assert.equal(usual.Language, "pt-BR");
    assert.equal((await publish(ann, "Hi", "en")).Language, "en");
    assert.equal((await publish(ann, "!", "")).Language, undefined);
    const said = await ann.post<Spoken<CommentRecord>>(
      `/posts/${usual.ID}/comments`,
      { comment: "Sim" },
    );
    assert.equal(said.Language, "pt-BR");
    const draft = await ann.post<{ ID: number; Language: string | null }>(
      "/drafts",
      { post: "Depois", audience: "everyone" },
    );
    assert.equal(draft.Language, "pt-BR");
    const none = await ann.put<SettingsRecord>("/settings", {
      PostLanguage: "",
    });
    assert.equal(none.PostLanguage, null);
    assert.equal((await publish(ann, "...")).Language, undefined);
  });

  test("a tag that is no language is refused, and changes nothing", async () => {
    const ann = await kith().person();
    for (const PostLanguage of ["klingon language", "e".repeat(99), "und"])
      await ann.badRequest("PUT", "/settings", { json: { PostLanguage } });
    for (const ReadLanguages of [["en", "x"], "no such".split("")])
      await ann.badRequest("PUT", "/settings", { json: { ReadLanguages } });
    const { PostLanguage, ReadLanguages } =
      await ann.get<SettingsRecord>("/settings");
    assert.deepEqual([PostLanguage, ReadLanguages], [null, []]);
    await read(ann, ["pt-BR", "en", "pt", "en-GB"]);
    assert.deepEqual(
      (await ann.get<SettingsRecord>("/settings")).ReadLanguages,
      ["en", "pt"],
    );
    await ann.put("/settings", { ReadLanguages: "" });
    assert.deepEqual(
      (await ann.get<SettingsRecord>("/settings")).ReadLanguages,
      [],
    );
  });

  test("the home and public posts leave out languages that the user does not read", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    await follow(ann, bob);
    const texts = {
      ...{ "Guten Tag": "de", "G'day": "en-AU", "Salut ": "fr" },
    };
    for (const [text, language] of Object.entries(texts))
      await publish(bob, text, language);
    await publish(bob, "42", "");
    await publish(ann, "Bonjour", "fr");
    await read(ann, ["en"]);
    assert.deepEqual(await home(ann), ["Bonjour", "42", "G'day"]);
    assert.deepEqual(
      await home(ann, { limit: "2", offset: "1" }),
      ["42", "G'day"],
      "pages have no holes",
    );
    const everyone = await ann.get<PostRecord[]>("/posts", {
      ...{ visibility: "1", limit: "4" },
    });
    assert.deepEqual(
      textsOf(everyone).filter((it) => /Tag|Salut/.test(it)),
      [],
    );
    const path = `/u/${bob.username}`;
    const { text } = await visitor(kith().baseUrl).get(path);
    assert.match(text, /Guten Tag/, "the posts of a person are all there");
    await read(ann, []);
    assert.equal((await home(ann)).length, 5);
  });

  test("a reshare is in the language of its root", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    await follow(ann, bob);
    const post = await publish(cat, "Zum Weitersagen", "de");
    await bob.post(`/posts/${post.ID}/reshare`);
    assert.equal((await home(ann)).length, 1);
    await read(ann, ["en"]);
    assert.deepEqual(await home(ann), []);
    const stream = await ann.get<PostRecord[]>("/posts", { visibility: "1" });
    assert.ok(stream.every(({ RootGuid }) => RootGuid !== post.Guid));
    await read(ann, ["de"]);
    assert.equal((await home(ann)).length, 1);
  });
});
