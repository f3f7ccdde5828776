import {
  isHere,
  inHomeWithReplies,
  inHomes,
  inLists,
  isPublic,
  listed,
  own,
  silent,
  NO_CONTENT,
  type Entry,
  type Identity,
  type Probe,
} from "../probes.ts";
import { TAG, type Kind, type Subject, type Viewer } from "../subjects.ts";

/** Statuses are posts and comments, both named by their ids alone. */
function status(
  after: string,
  by: Identity,
  about: readonly Kind[] = ["post", "comment", "conversation"],
  more: Partial<Probe> = {},
): Probe {
  const paths = ({ id }: Subject) => [`/api/v1/statuses/${id}${after}`];
  return { about, by, is: "one", paths, ...more };
}

/** Others learn only whether it is there. */
const silently = { shows: false } as const;

const list = (
  path: string,
  by: Identity = "token",
  about: readonly Kind[] = ["post"],
  more: Partial<Probe> = {},
): Probe => listed(about, by, () => [`/api/v1${path}`], more);

/** Those who have a token; who is on another server has none. */
const isUser = (_: Subject, viewer: Viewer): boolean =>
  !["anonymous", "remoteMember", "remoteStranger"].includes(viewer);

const isInNoList = { only: () => false };

/** Calls that act on a status and answer it. */
const ACTS = Object.fromEntries(
  (
    [
      ["favourite", ["post", "comment"]],
      ["unfavourite", ["post", "comment"]],
      ["bookmark", ["post"]],
      ["unbookmark", ["post"]],
      ["mute", ["post", "comment"]],
      ["unmute", ["post", "comment"]],
      ["unreblog", ["post"]],
    ] as const
  ).map(([name, about]): [string, Entry] => [
    `POST /api/v1/statuses/:id/${name}`,
    [status(`/${name}`, "token", about)],
  ]),
);

const STATUSES: Readonly<Record<string, Entry>> = {
  "GET /api/v1/statuses/:id": [
    status("", "file"),
    listed(["quote"], "file", ({ id }) => [`/api/v1/statuses/${id}`]),
  ],
  "GET /api/v1/statuses": [
    listed(["post", "comment", "conversation"], "file", ({ id }) => [
      `/api/v1/statuses?id[]=${id}`,
    ]),
  ],
  "GET /api/v1/statuses/:id/context": [
    status("/context", "file", undefined, silently),
    listed(["comment"], "file", ({ post }) => [
      `/api/v1/statuses/${post.id}/context`,
    ]),
  ],
  "GET /api/v1/statuses/:id/history": [status("/history", "file")],
  "GET /api/v1/statuses/:id/source": [
    status("/source", "token", ["post"], { only: own }),
  ],
  "GET /api/v1/statuses/:id/favourited_by": [
    status("/favourited_by", "file", ["post", "comment"], silently),
  ],
  "GET /api/v1/statuses/:id/reblogged_by": [
    status("/reblogged_by", "file", ["post", "comment"], silently),
  ],
  "GET /api/v1/statuses/:id/quotes": [
    status("/quotes", "file", ["post", "comment"], silently),
  ],
  "PUT /api/v1/statuses/:id/interaction_policy": [
    status("/interaction_policy", "token", ["post"], {
      ...{ only: own, shows: false },
      form: () => ({ quote_approval_policy: "public" }),
    }),
  ],
  "POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke": silent(
    "It finds statuses as GET /api/v1/statuses/:id does: packages/server/test/mastodon/quotes.test.ts",
  ),
  ...ACTS,
  "POST /api/v1/statuses/:id/unpin": [
    status("/unpin", "token", ["post"], { only: own }),
  ],
  "POST /api/v1/statuses/:id/pin": silent(
    "It finds what unpin finds, and pins five alone: packages/server/test/mastodon/statuses.test.ts",
  ),
  "POST /api/v1/statuses/:id/reblog": [
    status("/reblog", "token", ["post"], { only: isPublic }),
  ],
  "PUT /api/v1/statuses/:id": [
    status("", "token", ["post"], {
      ...{ only: own, shows: false, form: () => ({ status: "edited" }) },
    }),
  ],
  "DELETE /api/v1/statuses/:id": [status("", "token", ["post"], { only: own })],
  "POST /api/v1/statuses": [
    {
      ...{ about: ["post", "comment"], by: "token", is: "one", shows: false },
      paths: ({ id }) => [`/api/v1/statuses?status=x&in_reply_to_id=${id}`],
    },
    {
      ...{ about: ["post"], by: "token", is: "one", only: isPublic },
      paths: ({ id }) => [`/api/v1/statuses?status=x&quoted_status_id=${id}`],
    },
  ],
};

const LISTS: Readonly<Record<string, Entry>> = {
  "GET /api/v1/timelines/home": [
    list("/timelines/home?limit=40", "token", ["post"], { only: inHomes }),
    list("/timelines/home?limit=40", "token", ["conversation"], isInNoList),
    list(
      "/timelines/home?limit=40&replies_policy=followed",
      ...(["token", ["comment"], { only: inHomeWithReplies }] as const),
    ),
    list(
      "/timelines/home?limit=40&replies_policy=followed",
      ...(["token", ["conversation"], isInNoList] as const),
    ),
  ],
  "GET /api/v1/timelines/public": [
    list("/timelines/public?limit=40", "token", ["post"], {
      only: ({ audience }) => audience === "public",
    }),
    list("/timelines/public?limit=40", "token", ["conversation"], isInNoList),
  ],
  "GET /api/v1/timelines/tag/:name": [
    list(`/timelines/tag/${TAG}?limit=40`, "file", ["post"], {
      only: inLists,
    }),
    list(
      `/timelines/tag/${TAG}?limit=40`,
      "file",
      ["conversation"],
      isInNoList,
    ),
  ],
  "GET /api/v1/timelines/link": [
    list(
      "/timelines/link?url=https%3A%2F%2Flinked.example%2F",
      "file",
      ["conversation"],
      isInNoList,
    ),
  ],
  "GET /api/v1/accounts/:id/statuses": [
    list("/accounts/AUTHOR/statuses?limit=40", "file", ["post"], {
      only: isHere,
    }),
    list("/accounts/AUTHOR/statuses?limit=40", "file", ["comment"], {
      only: isHere,
    }),
    list(
      "/accounts/AUTHOR/statuses?limit=40",
      "file",
      ["conversation"],
      isInNoList,
    ),
  ],
  "GET /api/v1/bookmarks": [list("/bookmarks?limit=40")],
  "GET /api/v1/conversations": [
    list("/conversations?limit=40", "token", ["conversation"]),
  ],
  "GET /api/v2/search": [
    listed(
      ["post", "photo"],
      "file",
      ({ marker }) => [`/api/v2/search?type=statuses&q=${marker}`],
      {
        // Unlisted posts are found by those who took part in them alone.
        only: ({ audience }, viewer) =>
          isUser({} as Subject, viewer) &&
          audience !== "personal" &&
          (audience !== "unlisted" || viewer === "author"),
      },
    ),
  ],
  "GET /api/v1/notifications": [
    list("/notifications?limit=80", "token", ["notification"], {
      ...{ only: own, sign: ({ id }) => `"id":"${id}"` },
    }),
  ],
  "GET /api/v1/notifications/:id": [
    {
      ...{ about: ["notification"], by: "token", is: "one" },
      paths: ({ id }) => [`/api/v1/notifications/${id}`],
      sign: ({ id }) => `"id":"${id}"`,
    },
  ],
  "GET /api/v2/notifications": [
    listed(
      ["notification"],
      "token",
      () => ["/api/v2/notifications?limit=80"],
      {
        ...{
          only: own,
          sign: ({ id }) => `"most_recent_notification_id":${id}`,
        },
      },
    ),
  ],
  "GET /api/v2/notifications/:id": [
    {
      ...{ about: ["notification"], by: "token", is: "one" },
      paths: ({ id }) => [`/api/v2/notifications/ungrouped-${id}`],
      shows: false,
    },
  ],
  "POST /api/v1/notifications/:id/dismiss": [
    {
      ...{ about: ["notification"], by: "token", is: "one", shows: false },
      paths: ({ id }) => [`/api/v1/notifications/${id}/dismiss`],
    },
  ],
  "POST /api/v1/conversations/:id/read": [
    {
      ...{ about: ["conversation"], by: "token", is: "one" },
      paths: ({ id }) => [`/api/v1/conversations/${id}/read`],
    },
  ],
  "DELETE /api/v1/conversations/:id": [
    {
      ...{ about: ["conversation"], by: "token", is: "one", shows: false },
      paths: ({ id }) => [`/api/v1/conversations/${id}`],
    },
  ],
};

const IN_TESTS = silent(
  "It looks for what it names as GET /api/v1/statuses/:id does: packages/server/test/mastodon/notices.test.ts",
);

const quiet = (method: string, ...paths: string[]): [string, Entry][] =>
  paths.map((path) => [`${method} /api${path}`, silent(NO_CONTENT)]);

const acts = [
  ...["follow", "unfollow", "remove_from_followers"],
  ...["block", "unblock", "mute", "unmute"],
];

/** People, what users keep for themselves, and what the server says of itself. */
const QUIET: readonly [string, Entry][] = [
  ...quiet(
    "GET",
    ...["/v1/instance", "/v2/instance", "/v1/custom_emojis"],
    ...["rules", "peers", "activity", "domain_blocks", "languages"].map(
      (name) => `/v1/instance/${name}`,
    ),
    "/v1/instance/translation_languages",
    ...["extended_description", "privacy_policy"].map(
      (name) => `/v1/instance/${name}`,
    ),
    ...["", "/:date"].map((rest) => `/v1/instance/terms_of_service${rest}`),
    ...["/v1/trends", "/v1/trends/tags", "/v1/preferences"],
    "/v1/announcements",
    "/v1/directory",
    ...["/v1/suggestions", "/v2/suggestions", "/v1/endorsements"],
    ...["/v1/featured_tags", "/v1/featured_tags/suggestions"],
    ...["verify_credentials", "lookup", "relationships", "search"].map(
      (name) => `/v1/accounts/${name}`,
    ),
    ...["/v1/accounts", "/v1/accounts/familiar_followers"],
    ...["", "/followers", "/following", "/lists", "/featured_tags"].map(
      (name) => `/v1/accounts/:id${name}`,
    ),
    "/v1/accounts/:id/endorsements",
    ...["/v1/blocks", "/v1/mutes", "/v1/domain_blocks", "/v1/follow_requests"],
    ...["/v1/lists", "/v1/lists/:id", "/v1/lists/:id/accounts"],
    ...["/v1/tags/:name", "/v1/followed_tags", "/v1/markers", "/v1/profile"],
    ...["/v2/filters", "/v2/filters/:id", "/v2/filters/:id/keywords"],
    ...["/v2/filters/:id/statuses", "/v2/filters/keywords/:id"],
    "/v2/filters/statuses/:id",
    ...["/v1/filters", "/v1/filters/:id"],
    ...["/v1/scheduled_statuses", "/v1/scheduled_statuses/:id"],
    "/v1/notifications/unread_count",
    "/v1/notifications/requests",
    "/v1/notifications/requests/merged",
    "/v2/notifications/unread_count",
    "/v2/notifications/policy",
  ),
  ...quiet(
    "POST",
    ...[...acts, "note"].map((name) => `/v1/accounts/:id/${name}`),
    ...["/v1/domain_blocks", "/v1/lists", "/v1/lists/:id/accounts"],
    ...["authorize", "reject"].map((name) => `/v1/follow_requests/:id/${name}`),
    ...["follow", "unfollow", "feature", "unfeature"].map(
      (name) => `/v1/tags/:name/${name}`,
    ),
    "/v1/markers",
    ...["/v2/filters", "/v2/filters/:id/keywords", "/v1/filters"],
    "/v2/filters/:id/statuses",
    ...["/v1/media", "/v2/media", "/v1/notifications/clear"],
  ),
  ...quiet(
    "PUT",
    ...["/v1/lists/:id", "/v2/filters/:id", "/v2/filters/keywords/:id"],
    ...["/v1/filters/:id", "/v1/scheduled_statuses/:id"],
    "/v2/notifications/policy",
  ),
  ...quiet(
    "PATCH",
    ...["/v1/accounts/update_credentials", "/v2/notifications/policy"],
    "/v1/profile",
  ),
  ...quiet(
    "DELETE",
    ...["/v1/domain_blocks", "/v1/lists/:id", "/v1/lists/:id/accounts"],
    ...["/v2/filters/:id", "/v2/filters/keywords/:id", "/v1/filters/:id"],
    "/v2/filters/statuses/:id",
    "/v1/scheduled_statuses/:id",
  ),
];

/** The client API of Mastodon. */
export const MASTODON_ENTRIES: Readonly<Record<string, Entry>> = {
  ...STATUSES,
  ...LISTS,
  "GET /api/v1/timelines/list/:id": silent(
    "It shows a part of GET /api/v1/timelines/home: packages/server/test/mastodon/people.test.ts",
  ),
  ...Object.fromEntries(
    ["", "/user", "/user/notification", "/direct", "/list"].map((path) => [
      `GET /api/v1/streaming${path}`,
      silent(
        "It never ends; privacy-changes.test.ts reads the changes that it renders",
      ),
    ]),
  ),
  ...Object.fromEntries(
    ["statuses", "links"].map((what) => [
      `GET /api/v1/trends/${what}`,
      silent(
        "It finds what several people like or link in public, by the rule of GET /api/v1/timelines/public: packages/server/test/mastodon/profiles.test.ts",
      ),
    ]),
  ),
  ...Object.fromEntries(
    [
      ...["GET /api/v1/admin/accounts", "GET /api/v2/admin/accounts"],
      "GET /api/v1/admin/accounts/:id",
      ...["action", "unsuspend", "unsilence", "approve", "reject"].map(
        (name) => `POST /api/v1/admin/accounts/:id/${name}`,
      ),
      ...["", "/:id"].map((path) => `GET /api/v1/admin/reports${path}`),
      ...["assign_to_self", "unassign", "resolve", "reopen"].map(
        (name) => `POST /api/v1/admin/reports/:id/${name}`,
      ),
      ...["email_domain_blocks", "canonical_email_blocks", "ip_blocks"].flatMap(
        (name) => [
          ...["GET", "POST"].map((it) => `${it} /api/v1/admin/${name}`),
          ...["GET", "DELETE"].map((it) => `${it} /api/v1/admin/${name}/:id`),
        ],
      ),
      "POST /api/v1/admin/canonical_email_blocks/test",
      "PUT /api/v1/admin/ip_blocks/:id",
    ].map((route) => [
      route,
      silent(
        "It refuses all but moderators, and shows them no limited post: packages/server/test/mastodon/admin.test.ts",
      ),
    ]),
  ),
  "POST /api/v1/accounts": silent(NO_CONTENT),
  ...Object.fromEntries(
    ["PUT", "DELETE"].map((method) => [
      `${method} /api/v1/announcements/:id/reactions/:name`,
      silent(NO_CONTENT),
    ]),
  ),
  ...Object.fromEntries(
    ["endorse", "unendorse", "pin", "unpin"].map((name) => [
      `POST /api/v1/accounts/:id/${name}`,
      silent(NO_CONTENT),
    ]),
  ),
  "POST /api/v1/featured_tags": silent(NO_CONTENT),
  "DELETE /api/v1/featured_tags/:id": silent(NO_CONTENT),
  ...Object.fromEntries(
    ["avatar", "header"].map((name) => [
      `DELETE /api/v1/profile/${name}`,
      silent(NO_CONTENT),
    ]),
  ),
  ...Object.fromEntries(
    ["public", "public/local", "public/remote", "hashtag", "hashtag/local"].map(
      (path) => [
        `GET /api/v1/streaming/${path}`,
        silent(
          "It never ends; packages/server/test/mastodon/streaming.test.ts shows what it leaves out",
        ),
      ],
    ),
  ),
  "GET /api/v1/streaming/health": silent(NO_CONTENT),
  "GET /api/v1/favourites": silent(
    "It shows what the user has liked, by the rule of GET /api/v1/bookmarks: packages/server/test/mastodon/notices.test.ts",
  ),
  "GET /api/v2/notifications/:id/accounts": silent(
    "It shows people of GET /api/v2/notifications/:id",
  ),
  ...Object.fromEntries(
    ["GET", "POST", "PUT", "DELETE"].map((method) => [
      `${method} /api/v1/push/subscription`,
      silent(
        "It concerns the token alone; pushes show what notifications show: packages/server/test/mastodon/push.test.ts",
      ),
    ]),
  ),
  "POST /api/v2/notifications/:id/dismiss": silent(
    "It finds what GET /api/v2/notifications/:id finds",
  ),
  ...Object.fromEntries(
    [
      ...["GET /api/v1/polls/:id", "POST /api/v1/polls/:id/votes"],
      ...["GET", "PUT", "DELETE"].map((it) => `${it} /api/v1/media/:id`),
      "POST /api/v1/reports",
    ].map((route) => [route, IN_TESTS]),
  ),
  ...Object.fromEntries(QUIET),
};
