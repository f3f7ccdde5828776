import type { Photo } from "../../features/photos/index.ts";
import type { DescribedPhoto } from "../../features/texts/index.ts";
import { mentionsIn } from "../../lib/markdown/markdown.ts";
import { renderContent, type KnownPeople } from "../entities/content.ts";
import { presentMedia } from "../entities/media.ts";
import { presentEmojis } from "../entities/site.ts";
import type { Writing } from "../entities/status.ts";
import { notFound } from "../kit/refusals.ts";
import { toWireTime, type Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "./deps.ts";
import { loadAccounts } from "./load-accounts.ts";
import { listPhotosOfWriting } from "./load-media.ts";

const ALL_VERSIONS = { offset: 0, limit: 100 };
/** In all versions together. */
const MAX_MENTIONED = 500;

/** All versions, the oldest first and the present one last. */
export async function loadHistory(
  deps: MastodonDeps,
  { post, comment }: Writing,
): Promise<Entity[]> {
  const { texts, people, site, photos } = deps;
  const writing = comment ?? post;
  const place = { postId: post.id, commentId: comment?.id ?? null };
  const [versions, author, shown] = await Promise.all([
    texts.listVersions(place, ALL_VERSIONS),
    people.find({ id: writing.personId }),
    listPhotosOfWriting(photos, { post, comment }),
  ]);
  if (!author) throw notFound();
  const [account] = await loadAccounts(deps, [author], null);
  const present = {
    ...{ text: writing.text, warning: writing.warning, photos: shown },
    writtenAt: writing.updatedAt,
  };
  const all = [...versions.toReversed(), present];
  const known = await listNamed(
    deps,
    all.map(({ text }) => text),
  );
  return all.map((version, index) => ({
    content: renderContent(site, version.text, known),
    spoiler_text: version.warning ?? "",
    sensitive: version.warning !== null || (comment === null && post.nsfw),
    created_at: toWireTime(index === 0 ? writing.createdAt : version.writtenAt),
    account,
    media_attachments: describedThen(shown, version.photos).map((photo) =>
      presentMedia(photo, {
        large: photos.openUrlOf(photo, post),
        small: photos.openUrlOf(photo, post, "thumb_large"),
      }),
    ),
    emojis: presentEmojis(site, writing.emojis, author),
  }));
}

/** The pictures that a version had, as it described them. Those deleted since are gone. */
function describedThen(
  present: readonly Photo[],
  then: readonly DescribedPhoto[],
): Photo[] {
  const byGuid = new Map(present.map((photo) => [photo.guid, photo]));
  return then.flatMap(({ guid, text }) => {
    const photo = byGuid.get(guid);
    return photo ? [{ ...photo, text }] : [];
  });
}

async function listNamed(
  { people }: MastodonDeps,
  texts: readonly string[],
): Promise<KnownPeople> {
  const handles = new Set(
    texts.flatMap((text) => mentionsIn(text)).map(({ handle }) => handle),
  );
  const found = await people.listByHandle([...handles].slice(0, MAX_MENTIONED));
  return new Map(
    [...found.values()]
      .filter(({ state }) => state === "active")
      .map((person) => [person.handle, person]),
  );
}
