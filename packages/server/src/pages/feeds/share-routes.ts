import type { FastifyInstance } from "fastify";
import {
  pathOfPicture,
  type ServerPicture,
} from "../../features/server-profile/index.ts";
import { readInput, text } from "../../http/input/input.ts";
import { Type } from "../../lib/json-schema.ts";
import { assetPath } from "../kit/assets.ts";
import { pageTexts } from "../languages/texts.ts";
import { redirectTo, type PagesContext } from "../session/visitor.ts";

const texts = pageTexts.places;

const SHARED = Type.Object({
  title: text("The title of a page"),
  text: text("Words about it"),
  notes: text("The same, by the bookmarklet of diaspora*"),
  content: text("The whole text, by share-on-diaspora"),
  url: text("The address of the page"),
});

/** So long is the text that an address takes to the form. */
const MAX_LENGTH = 2_000;

/**
 * Lets other sites and programs begin a post: the form is filled, and nothing is published.
 * `/bookmarklet` is the name that diaspora* gave it.
 */
export function shareRoutes(app: FastifyInstance, context: PagesContext): void {
  const config = { access: "anyone", limit: "read" } as const;
  for (const path of ["/share", "/bookmarklet"])
    app.get(path, { config }, (request, reply) => {
      const given = readInput(SHARED, request.parameters);
      const { title = "", notes = "", url = "" } = given;
      const parts = [given.content ?? title, given.text ?? notes, url];
      const written = parts.filter((part) => part !== "").join("\n\n");
      const letters = [...written.toWellFormed()].slice(0, MAX_LENGTH).join("");
      return redirectTo(reply, `/write?text=${encodeURIComponent(letters)}`);
    });
  app.get("/manifest.webmanifest", { config }, async (_request, reply) => {
    const { name, picture } = await context.serverProfile.get();
    return reply
      .type("application/manifest+json; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(JSON.stringify(manifestOf(name || "Kith", picture)));
  });
}

function iconOf(
  name: "icon-192.png" | "icon-512.png" | "icon-maskable-512.png",
  size: number,
  purpose: "any" | "maskable",
): object {
  const sizes = `${size}x${size}`;
  return { src: assetPath(name), sizes, type: "image/png", purpose };
}

const ICONS_OF_KITH: readonly object[] = [
  { src: "/assets/favicon.svg", sizes: "any", type: "image/svg+xml" },
  iconOf("icon-192.png", 192, "any"),
  iconOf("icon-512.png", 512, "any"),
  iconOf("icon-maskable-512.png", 512, "maskable"),
];

const LEAST_ICON = 192;
/** The formats from which browsers make the icon of an app; JPEG is none. */
const ICON_TYPES: ReadonlySet<string> = new Set(["image/png", "image/webp"]);

/** The picture of the server where it can be an icon: square, and large enough. */
function iconsOfServer(picture: ServerPicture | null): object[] {
  if (!picture || picture.width !== picture.height) return [];
  if (picture.width < LEAST_ICON || !ICON_TYPES.has(picture.mediaType))
    return [];
  const { mediaType: type, width, height } = picture;
  const src = pathOfPicture(picture);
  return [{ src, sizes: `${width}x${height}`, type, purpose: "any" }];
}

function manifestOf(name: string, picture: ServerPicture | null): object {
  const own = iconsOfServer(picture);
  return {
    ...{ id: "/", name, short_name: name.slice(0, 12) },
    ...{ start_url: "/home", scope: "/", display: "standalone" },
    ...{ theme_color: "#0b6157", background_color: "#f6f5f1" },
    icons: own.length > 0 ? own : ICONS_OF_KITH,
    shortcuts: [
      { name: texts.write, url: "/write" },
      { name: texts.events, url: "/events" },
    ],
    share_target: {
      ...{ action: "/share", method: "GET" },
      params: { title: "title", text: "text", url: "url" },
    },
  };
}
