/** The English texts of the pages about contacts. */
export const englishContacts = {
  title: "Contacts",
  find: "Find people",
  findHint:
    "A name, an address like name@host, or the address of a profile on any server.",
  search: "Search",
  found: (query: string) => `People found for “${query}”`,
  nobodyFound:
    "Nobody was found. Check the spelling; people on other servers are found by their whole address.",
  aspects: "Your aspects",
  aspectsAbout:
    "Aspects are your own groups of contacts. Nobody else sees them, nor who is in them.",
  noMembers: "Nobody is in this aspect yet.",
  newAspect: "New aspect",
  name: "Name",
  create: "Create",
  rename: "Rename",
  change: "Rename or delete",
  delete: "Delete this aspect",
  deleteAbout:
    "You stop following those of its members who are in no other aspect. Posts stay with those who received them.",
  blank: "An aspect needs a name.",
  tooLong: "This name is too long.",
  followers: "People who follow you",
  noFollowers: "Nobody follows you yet.",
  earlier: "Previous people",
  later: "More people",
  inAspects: "In your aspects",
  follow: "Follow",
  unfollow: "Unfollow",
  requested: "You asked to follow this person, who has not answered yet.",
  requestRefused: "This person declined your request to follow.",
  followsYou: "Follows you",
  requests: "Follow requests",
  requestsAbout:
    "These people see what everyone sees until you accept them. Those you decline may ask again; block a person to prevent that.",
  noRequests: "Nobody is waiting for your answer.",
  waiting: (n: number) =>
    n === 1 ? "1 person asks to follow you" : `${n} people ask to follow you`,
  asksToFollow: "This person asks to follow you.",
  accept: "Accept",
  refuse: "Decline",
  acceptAll: "Accept all",
  add: "Add",
  remove: "Remove",
  addTo: (aspect: string) => `to ${aspect}`,
  removeFrom: (aspect: string) => `from ${aspect}`,
  more: "More",
  removeFollower: "Remove this follower",
  removeFollowerAbout:
    "This person stops following you, and no longer gets what you write to your followers, but may follow you again. On diaspora* the person’s server is not notified.",
  ignore: "Ignore",
  unignore: "Stop ignoring",
  ignoreAbout:
    "Ignoring hides what this person writes from you. The person does not learn of it.",
  ignored: "You ignore this person.",
  block: "Block",
  unblock: "Unblock",
  blockAbout:
    "Blocking ends the contact on both sides. The person’s server is notified, and the person no longer sees what you write to your followers.",
  blocked: "You have blocked this person.",
  blocks: "People you block",
  noBlocks: "You block nobody.",
  ignores: "People you ignore",
  noIgnores: "You ignore nobody.",
  hosts: "Servers you block",
  hostsAbout:
    "Nothing of anybody on these servers reaches you, and your contacts there end. Unblocking does not bring them back.",
  noHosts: "You block no servers.",
  host: "Server",
  hostHint: "The part of an address after the @, such as example.com.",
  blockHost: "Block this server",
  unblockHost: "Unblock",
  hostRefused:
    "This is not the name of another server, or you block as many as you can.",
  /** The name of the aspect for those who are followed without choosing one. */
  defaultAspect: "Following",
};
