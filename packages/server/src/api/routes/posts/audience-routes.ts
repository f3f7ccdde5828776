import type { Accounts } from "../../../features/accounts/index.ts";
import type {
  Audience,
  Audiences,
  PreviewAudience,
} from "../../../features/audiences/index.ts";
import type { PhotoId, UserId } from "../../../features/ids.ts";
import type { People } from "../../../features/people/index.ts";
import { text } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { AUDIENCE_INPUT, readAudience } from "../../kit/audience-input.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { presentPreview } from "../../schemas/audience-records.ts";
import { one } from "../../schemas/schemas.ts";

export type AudienceRoutesDeps = ChooseAudienceDeps & {
  readonly previewAudience: PreviewAudience;
};

export type ChooseAudienceDeps = {
  readonly accounts: Pick<Accounts, "getSettings">;
  readonly audiences: Pick<Audiences, "narrowDefault">;
  readonly db: { readonly read: Parameters<Audiences["narrowDefault"]>[0] };
  readonly people: Pick<People, "find">;
};

const PREVIEW = Type.Object({
  ...AUDIENCE_INPUT,
  post: text("The text that you would publish: its mentions are looked up"),
  photoID: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: 100,
      description: "Your pictures, sounds and videos that you would attach",
    }),
  ),
});

/**
 * The audience of a new post: as given, else the user's default.
 * @throws {KithError} as `readAudience` and `narrowDefault` do
 */
export async function chooseAudience(
  { accounts, audiences, db, people }: ChooseAudienceDeps,
  { userId }: { readonly userId: UserId },
  input: Parameters<typeof readAudience>[1],
): Promise<Audience> {
  const given = await readAudience({ people }, input);
  if (given) return given;
  const { audience } = await accounts.getSettings(userId);
  return audiences.narrowDefault(db.read, userId, audience);
}

export function audienceRoutes(deps: AudienceRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      // As many rows are read as a post has recipients.
      limit: "write",
      scope: "read:lists",
      name: "previewAudience",
      path: "/audience",
      summary: "Shows who would get a post, without publishing it.",
      description:
        "Computed as the post itself is sent. For everyone and unlisted, People are those to whom it is sent; others can find it.",
      input: PREVIEW,
      example: { audience: "followers", post: "Hello, @ann@kith.example" },
      output: one("AudiencePreview"),
      handle: async ({ user, input }) => {
        const audience = await chooseAudience(deps, user, input);
        const { post = "" } = input;
        const photoIds = (input.photoID ?? []) as PhotoId[];
        return presentPreview(
          await deps.previewAudience(user, audience, post, photoIds),
        );
      },
    }),
  ];
}
