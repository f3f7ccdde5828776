/** The English texts of the pages about contacts. */
export const contactTexts = {
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
  followsYou: "Follows you",
  add: "Add",
  remove: "Remove",
  addTo: (aspect: string) => `to ${aspect}`,
  removeFrom: (aspect: string) => `from ${aspect}`,
  /** The name of the aspect for those who are followed without choosing one. */
  defaultAspect: "Following",
};
