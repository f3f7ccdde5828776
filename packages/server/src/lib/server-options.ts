/** The texts and the look of a server, beside the setting `registration`: all of them, here alone. */
export const SERVER_OPTIONS = [
  ...(["name", "description", "rules-file", "terms-file"] as const),
  ...(["privacy-file", "contact", "contact-mail", "joining"] as const),
  ...(["picture", "accent-light", "accent-dark", "style-file"] as const),
  ...(["language", "min-age", "newcomer-days", "newcomer-posts"] as const),
  ...(["newcomer-follows", "newcomer-links"] as const),
] as const;

/** The conditions of a rule against spam, its action, and whether it is on. */
export const SPAM_OPTIONS = [
  ...(["phrase", "link-host", "mentions", "known-days"] as const),
  ...(["strangers", "action", "on"] as const),
] as const;

/** Options of `kith server` and `kith spam`. */
export type ServerOptions = Readonly<
  Partial<
    Record<
      | (typeof SERVER_OPTIONS)[number]
      | (typeof SPAM_OPTIONS)[number]
      | "registration",
      string
    >
  >
>;
