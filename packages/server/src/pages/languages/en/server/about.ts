const count = (n: number, one: string, many: string) =>
  `${n} ${n === 1 ? one : many}`;

/** The English texts of what a server says about itself. */
export const englishAbout = {
  aboutServer: (name: string) => `About ${name}`,
  rules: "Rules",
  noRules: "This server has no rules of its own.",
  readRules: "Rules, and more about this server",
  contact: "Who runs this server",
  more: "More about this server",
  privacy: "Privacy",
  privacyLink: "Privacy: what this server keeps, and for how long",
  terms: "Terms of use",
  people: (n: number) =>
    count(n, "person has an account here", "people have accounts here"),
  posts: (n: number) =>
    count(n, "post or comment by them", "posts and comments by them"),
  software: "This server runs Kith, which is free software.",
  source: "Its source",
  api: "The interface for programs",
  feeds: "Feeds of people and tags are linked on their pages.",
  newest: "Newest public posts",
  agree: "By signing up you agree to the",
  kept: "What this server keeps, and for how long",
  facts: {
    writings:
      "What you write, your pictures, events and private messages are kept until you delete them. Then they are removed here, and the servers that received them are asked to remove them, too. Backups may hold them for some time longer.",
    audiences:
      "What you write to an aspect, to some people or in a message is sent to the servers of these people and to no others. It is encrypted on its way, but not where it is kept: whoever runs one of these servers could read it.",
    secrets:
      "Your password is kept as a hash, from which nobody can compute it. An e-mail address is kept only if you give one, and nobody else sees it.",
    access:
      "A browser stays signed in for 30 days. The access of an app ends after 400 days without use, or when you end it.",
    addresses:
      "The addresses of visitors limit how often something may be asked. They are neither stored nor logged.",
    strangers:
      "There are no advertisements, no counters of other companies, and no other server learns that you read this one: their pictures come through this server.",
    public: "Public posts are public: others may copy, search and keep them.",
    leaving:
      "You can take all your data with you as an archive, move to another server, or delete your account, in the settings.",
  },
};
