import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { isNotModified } from "../../http/not-modified.ts";

type Asset = {
  readonly type: string;
  readonly bytes: Buffer;
  readonly version: string;
};

const TYPES = {
  "kith.css": "text/css; charset=utf-8",
  "favicon.svg": "image/svg+xml",
  "icon-180.png": "image/png",
  "icon-192.png": "image/png",
  "icon-512.png": "image/png",
  "icon-maskable-512.png": "image/png",
  "avatar.png": "image/png",
  "missing-header.png": "image/png",
  "recording.png": "image/png",
  "kith.js": "text/javascript; charset=utf-8",
  "passkeys.js": "text/javascript; charset=utf-8",
  "offline.js": "text/javascript; charset=utf-8",
  "push.js": "text/javascript; charset=utf-8",
  "push-worker.js": "text/javascript; charset=utf-8",
} as const;

type AssetName = keyof typeof TYPES;

const FOR_EVER = "public, max-age=31536000, immutable";
const FOR_A_DAY = "public, max-age=86400";

/** The parts of the style sheet, in order: later ones go before earlier ones. */
const STYLES = [
  ...["tokens", "base", "layout", "navigation", "buttons", "forms", "notices"],
  ...["compose", "text", "post", "photos", "poll", "event"],
  ...["month", "calendars", "comments", "people", "lists", "search", "plots"],
  ...["script", "api-docs", "forced-colors"],
];

const loaded = new Map<AssetName, Asset>();

/**
 * Assets are few and part of the program: they are read once and kept in
 * memory.
 */
function loadAsset(name: AssetName): Asset {
  const before = loaded.get(name);
  if (before) return before;
  const bytes = name === "kith.css" ? joinStyles() : readAsset(name);
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const asset = { type: TYPES[name], bytes, version };
  loaded.set(name, asset);
  return asset;
}

/** A file of the folder of assets. */
export function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../../../assets/${name}`, import.meta.url));
}

/** One file for each component is easier to read, one for all quicker to load. */
function joinStyles(): Buffer {
  return Buffer.concat(STYLES.map((name) => readAsset(`styles/${name}.css`)));
}

/** The URL of an asset, with its version: its content never changes. */
export function assetPath(name: AssetName): string {
  return `/assets/${name}?v=${loadAsset(name).version}`;
}

export function assetRoutes(app: FastifyInstance): void {
  for (const name of Object.keys(TYPES) as AssetName[]) {
    const { type, bytes, version } = loadAsset(name);
    const tag = `"${version}"`;
    app.get<{ Querystring: { v?: unknown } }>(
      `/assets/${name}`,
      { config: { access: "anyone", limit: "read" } },
      async ({ headers, query }, reply) => {
        void reply.headers({
          "cache-control": query.v === version ? FOR_EVER : FOR_A_DAY,
          etag: tag,
        });
        if (isNotModified(headers, tag)) return reply.code(304).send();
        return reply.type(type).send(bytes);
      },
    );
  }
}
