import { Type } from "../../../lib/json-schema.ts";
import {
  CATEGORIES,
  type Category,
  type Moderation,
  type Report,
  type ReportTarget,
} from "../../../features/moderation/index.ts";
import type { CommentId, PersonId, PostId } from "../../../features/ids.ts";
import { flag, text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import { one } from "../../schemas/schemas.ts";

export type ReportsRoutesDeps = { readonly moderation: Moderation };

const REPORT = Type.Object({
  person_id: uint("The person that is reported, where it is no text of it"),
  post_id: uint("The post that is reported"),
  comment_id: uint("The comment that is reported"),
  text: text("What is wrong with it, at most 5,000 characters"),
  category: Type.Optional(
    Type.String({
      enum: [...CATEGORIES],
      description: "What kind of thing is wrong with it; other where not said",
    }),
  ),
  forward: flag(
    "Whether the report is also sent to the server of a person elsewhere, without your name",
  ),
});

/** Reports to the moderators. */
export function reportsRoutes({ moderation }: ReportsRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      limit: "costly",
      scope: "write:reports",
      name: "createReport",
      path: "/reports",
      summary: "Reports a person, a post or a comment to the moderators.",
      description:
        "Exactly one person, post or comment is given. The same is one report until somebody has dealt with it. The answer says whether the other server receives it (Forwarded); diaspora* has no message for reports.",
      input: REPORT,
      needs: [["person_id", "post_id", "comment_id"]],
      example: {
        post_id: 1234,
        category: "spam",
        text: "This is advertising.",
      },
      output: one("Report"),
      errors: [404],
      handle: async ({ user, input }) => {
        const report = await moderation.report({
          by: user,
          target: readTarget(input),
          text: input.text ?? "",
          category: (input.category ?? "other") as Category,
          forward: input.forward ?? false,
        });
        return presentReport(report);
      },
    }),
  ];
}

/** @throws {KithError} `bad_request` unless exactly one target is given */
function readTarget(input: {
  person_id?: number;
  post_id?: number;
  comment_id?: number;
}): ReportTarget {
  const { person_id: person, post_id: post, comment_id: comment } = input;
  const targets: ReportTarget[] = [];
  if (person) targets.push({ kind: "person", key: { id: person as PersonId } });
  if (post) targets.push({ kind: "post", key: { id: post as PostId } });
  if (comment)
    targets.push({ kind: "comment", key: { id: comment as CommentId } });
  const [target, ...more] = targets;
  if (!target || more.length > 0)
    throw new KithError(
      "bad_request",
      "A report names exactly one person, post or comment.",
    );
  return target;
}

export function presentReport(report: Report): WireRecord {
  return {
    ID: report.id,
    CreatedAt: report.createdAt,
    Category: report.category,
    Text: report.text,
    TargetType: TARGET_TYPES[report.targetKind],
    TargetGuid: report.targetGuid,
    PersonID: report.personId,
    Forwarded: report.forwarded,
    Open: report.resolvedAt === null,
  };
}

const TARGET_TYPES = {
  person: "Person",
  post: "Post",
  comment: "Comment",
} as const;
