import { storeJson } from "../../db/schema/columns/json-text.ts";
import type { PostId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import type { HomeServer } from "../../../test/support/remote/home-server.ts";

/** Attaches a picture of a local person to its post, without any file. */
export async function hangPicture(
  { deps }: HomeServer,
  { id }: Person,
  postId: PostId,
): Promise<{ readonly guid: string }> {
  const guid = newGuid();
  const now = "2026-01-01T00:00:00.000Z";
  await deps.db.transaction((tx) =>
    tx
      .insertInto("photos")
      .values({
        guid,
        person_id: id,
        post_id: postId,
        aspect_id: null,
        position: 0,
        text: "A cat",
        width: 2,
        height: 1,
        blurhash: "",
        media_type: "image/png",
        storage_key: guid,
        sizes: storeJson([]),
        is_profile: false,
        remote_url: null,
        remote_thumbnail_url: null,
        uri: null,
        edited_at: null,
        awaited_post_guid: null,
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
  return { guid };
}
