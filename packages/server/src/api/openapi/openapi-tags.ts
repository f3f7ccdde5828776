/** Tags of operations: the first pattern that matches a path wins. */
const TAGS: readonly (readonly [RegExp, string, string])[] = [
  [/^\/admin\//, "Administration", "For those who run this server."],
  [/^\/(?:oauth\/|app_passwords)/, "Tokens", "Access for programs."],
  [/\/likes/, "Likes", "Likes and dislikes of posts and comments."],
  [/\/comments/, "Comments", "Comments on posts."],
  [/^\/bookmarks|\/bookmark$/, "Bookmarks", "Posts you keep for later."],
  [/^\/drafts/, "Drafts", "Posts you publish later."],
  [/^\/filters/, "Filters", "Words you do not want to read."],
  [/^\/(?:posts|audience)/, "Posts", "Posts, reshares and polls."],
  [/^\/photos/, "Photos", "Pictures for posts."],
  [/^\/users\/streams/, "Streams", "Saved searches over posts."],
  [/^\/home/, "Home", "What the people of your aspects write and reshare."],
  [/^\/tags/, "Tags", "Tags and the posts that have them."],
  [/^\/server/, "Server", "What this server says about itself."],
  [/^\/calendar\/events/, "Events", "Events and who is coming."],
  [
    /^\/(?:shared_|subscribed_)?(?:calendar|events)/,
    "Calendars",
    "Your calendars, those shared with you, and those of other servers.",
  ],
  [/\/aspects/, "Aspects", "Your groups of contacts."],
  [
    /^\/(?:blocks|ignores)|\/(?:block|ignore)$/,
    "Blocks",
    "People and servers you keep away from.",
  ],
  [
    /^\/follow_requests/,
    "Follow requests",
    "People who ask to follow you, if you approve followers.",
  ],
  [/^\/(?:people|search|profile)/, "People", "People and their profiles."],
  [/^\/conversations/, "Conversations", "Private messages."],
  [/^\/changes/, "Changes", "Changes as they happen, as a stream of events."],
  [/^\/notifications/, "Notifications", "What has happened to you."],
  [
    /^\/held_texts/,
    "Held texts",
    "Your texts that are held until a moderator decides.",
  ],
  [/^\/strikes/, "Strikes", "The moderators' decisions about you."],
  [/^\/reports/, "Reports", "What moderators should look at."],
  [/^\/announcements/, "Announcements", "What is told to everybody here."],
  [/^\/invitations/, "Invitations", "Links with which people sign up."],
  [
    /^\/(?:users|settings|export|imports)/,
    "Account",
    "Your account, its settings, and moving.",
  ],
  [/^\/openapi/, "Documentation", "What this page is made from."],
];

/** @throws if no pattern matches: each operation has a tag */
export function tagOf(path: string): string {
  const found = TAGS.find(([paths]) => paths.test(path));
  if (!found) throw new Error(`${path} has no tag: see openapi-tags.ts`);
  return found[1];
}

/** The tags of these paths, in display order. */
export function tagsOf(
  paths: readonly string[],
): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf));
  return TAGS.filter(([, name]) => used.has(name))
    .map(([, name, description]) => ({ name, description }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
