import type { Scope } from "../../../../features/oauth/index.ts";

const admin = (verb: string) => ({
  accounts: `${verb} accounts and people as a moderator`,
  reports: `${verb} reports as a moderator`,
  domain_allows: `${verb} the list of allowed servers`,
  domain_blocks: `${verb} the list of blocked servers`,
  ip_blocks: `${verb} blocked addresses of the network`,
  email_domain_blocks: `${verb} blocked providers of e-mail`,
  canonical_email_blocks: `${verb} blocked e-mail addresses`,
});

const [reading, writing] = [admin("see"), admin("change")];

/** Each scope in plain words, after “It can”. */
const scopes: Readonly<Record<Scope, string>> = {
  profile: "see your name, address and picture",
  read: "read everything that you can see here: limited posts, messages, contacts and settings too",
  "read:accounts": "see profiles and your settings",
  "read:blocks": "see the people you have blocked",
  "read:bookmarks": "see your bookmarks",
  "read:collections": "see your collections",
  "read:favourites": "see what you like",
  "read:filters": "see your filters",
  "read:follows": "see the people and tags you follow",
  "read:lists": "see your aspects and who is in them",
  "read:mutes": "see the people you ignore",
  "read:notifications": "see your notifications",
  "read:search": "search in your name",
  "read:statuses":
    "read posts, comments, events and messages, limited ones too",
  write:
    "do everything that you do here: write, change and delete posts and messages, and change your profile and contacts",
  "write:accounts": "change your profile and your settings",
  "write:blocks": "block people and servers, and unblock them",
  "write:bookmarks": "change your bookmarks",
  "write:collections": "change your collections",
  "write:conversations": "mark messages as read, and hide conversations",
  "write:favourites": "like things in your name",
  "write:filters": "change your filters",
  "write:follows": "follow people and tags, and answer follow requests",
  "write:lists": "change your aspects",
  "write:media": "upload, change and delete your photos",
  "write:mutes": "ignore people and mute posts",
  "write:notifications": "mark notifications as read",
  "write:reports": "report people and posts in your name",
  "write:statuses":
    "write, change and delete your posts, comments, events and messages",
  follow: "see and change the people you follow, block and ignore",
  push: "send your notifications to your device",
  "admin:read": "see everything that the administration of this server sees",
  "admin:read:accounts": reading.accounts,
  "admin:read:reports": reading.reports,
  "admin:read:domain_allows": reading.domain_allows,
  "admin:read:domain_blocks": reading.domain_blocks,
  "admin:read:ip_blocks": reading.ip_blocks,
  "admin:read:email_domain_blocks": reading.email_domain_blocks,
  "admin:read:canonical_email_blocks": reading.canonical_email_blocks,
  "admin:write": "administer this server in your name",
  "admin:write:accounts": writing.accounts,
  "admin:write:reports": writing.reports,
  "admin:write:domain_allows": writing.domain_allows,
  "admin:write:domain_blocks": writing.domain_blocks,
  "admin:write:ip_blocks": writing.ip_blocks,
  "admin:write:email_domain_blocks": writing.email_domain_blocks,
  "admin:write:canonical_email_blocks": writing.canonical_email_blocks,
};

/** The English texts about apps and what they may do. */
export const englishApps = {
  scopes,

  authorize: {
    title: "Let an app in",
    asks: "wants to use your account",
    site: "It says that its site is",
    noSite: "It names no site.",
    can: "It can:",
    cannot:
      "It never learns your password, and cannot change it or delete the account. You can end its access at any time, in your settings.",
    admin:
      "You help to run this server, and the app asks for that, too. Allow it only if you know the app well.",
    account: "Your account",
    other: "Use another account",
    leadsTo: "Then you go on to",
    program: "a program on this device",
    showsCode: "Then a code is shown, which you copy into the app.",
    allow: "Allow",
    deny: "Do not allow",
    expired:
      "The form was out of date, so nothing was allowed. Look at it, and choose again.",
  },

  code: {
    title: "Your code",
    text: "Copy this code into the app. It works once, for ten minutes. Give it to nobody else.",
    label: "Code",
  },

  denied: {
    title: "Not allowed",
    text: "The app has no access to your account. You can close this page.",
  },

  unknown: {
    title: "This app cannot be let in",
    app: "This server does not know the app. It may have to be set up anew: remove the account from the app and add it again.",
    redirect_uri:
      "The app wants to send you to a place that is not its own, so nothing was done.",
  },

  refused: {
    title: "The app asks for something that does not exist",
    text: "This is a fault of the app. It gets this message:",
    back: "Back to the app",
  },

  access: {
    title: "Apps with access",
    about:
      "You have let these apps use your account. An app without access must ask you again.",
    none: "No app has access to your account.",
    made: "let in",
    used: "last used",
    end: "End access",
    endAll: "End the access of all apps",
    ended: "The access has ended.",
    endedAll: "No app has access any more.",
    link: "Apps with access",
    linkAbout: "What you have allowed to apps, and how to end it",
  },
};
