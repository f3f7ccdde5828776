import { test } from "node:test";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Limits = {
  readonly configuration: {
    readonly polls: { min_expiration: number; max_expiration: number };
    readonly media_attachments: { description_limit: number };
  };
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const meet = async () => {
    const app = MastodonClient.of(kith(), await kith().person());
    const { configuration } = await app.get<Limits>("/v2/instance");
    return { app, configuration };
  };

  test("a poll takes as long as the server announces", async () => {
    const { app, configuration } = await meet();
    const { min_expiration: min, max_expiration: max } = configuration.polls;
    const ask = (expires_in: number) => ({
      ...{ status: "Which?", poll: { options: ["Tea", "Coffee"], expires_in } },
    });
    for (const seconds of [min - 1, max + 1])
      await app.refused(
        ...(["POST", "/v1/statuses", 422, /Duration is too/] as const),
        ask(seconds),
      );
    for (const seconds of [min, max])
      await app.post("/v1/statuses", ask(seconds));
  });

  test("a description of a picture is as long as the server announces", async () => {
    const { app, configuration } = await meet();
    const { description_limit: most } = configuration.media_attachments;
    const { id } = await app.upload();
    const path = `/v1/media/${id}`;
    await app.put(path, { description: "a".repeat(most) });
    await app.refused("PUT", path, 422, /must have at most/, {
      description: "a".repeat(most + 1),
    });
  });
});
