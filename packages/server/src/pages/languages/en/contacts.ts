/** The English texts of the pages about contacts. */
export const englishContacts = {
  title: "People",
  lists: "Which people are listed",
  list: {
    held: "In your aspects",
    mutual: "They follow you, too",
    followers: "Follow you",
    unheld: "Follow you, in no aspect",
  },
  nobodyIn: {
    held: "Nobody is in your aspects yet.",
    mutual: "Nobody in your aspects follows you yet.",
    followers: "Nobody follows you yet.",
    unheld: "Everybody who follows you is in one of your aspects.",
  },
  lookAround: "Look around",
  find: "Find people",
  findHint:
    "A name, an address like name@host, or the address of a profile on any server.",
  search: "Search",
  found: (query: string) => `People found for “${query}”`,
  nobodyFound:
    "Nobody was found. Check the spelling; people on other servers are found by their whole address.",
  aspects: "Your aspects",
  noMembers: "Nobody is in this aspect yet.",
  aspect: {
    title: "Your aspects",
    about:
      "Aspects are your own groups of people. Nobody else sees them, nor who is in them. They stand in this order wherever you choose one.",
    new: "New aspect",
    name: "Name",
    create: "Create",
    rename: "Rename",
    change: "Rename or delete",
    home: {
      isThere: "The posts of its members are in your home, too.",
      isLeftOut:
        "The posts of its members are in this aspect alone, not in your home.",
      leaveOut: "Leave its posts out of your home",
      show: "Show its posts in your home",
    },
    move: {
      earlier: (name: string) => `Move ${name} up`,
      later: (name: string) => `Move ${name} down`,
    },
    posts: "Read its posts, and write to it",
    members: "Who is in it",
    shown: "Which people are listed",
    inIt: "Members",
    all: "Everybody you know",
    addPeople: "Add people",
    nobodyKnown: "You are in contact with nobody yet.",
    removedAbout:
      "You follow the people you add, and stop following those who are in none of your aspects any more.",
    save: "Save the members",
    delete: "Delete this aspect",
    deleteTitle: "Delete this aspect?",
    deleteAbout:
      "You stop following those of its members who are in no other aspect. Posts stay with those who received them.",
    keep: "Keep it",
    blank: "An aspect needs a name.",
    taken: "You have an aspect of this name already. Choose another name.",
    refused:
      "Nothing was changed: the name is too long, or you have blocked one of these people.",
  },
  earlier: "Previous people",
  later: "More people",
  inAspects: "In your aspects",
  follow: "Follow",
  unfollow: "Unfollow",
  requested: "You asked to follow this person, who has not answered yet.",
  requestRefused: "This person declined your request to follow.",
  followsYou: "Follows you",
  requestedMark: "Has not answered yet",
  refusedMark: "Declined your request",
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
  change: "Change",
  inNone: "In none of your aspects",
  saveAspects: "Save",
  choices: {
    title: "Home and notifications",
    reshares: "Show what this person reshares",
    notify: "Notify me of each new post",
    featured: "Recommend this person on my profile, for everyone to see",
    languages: "Only posts in these languages",
    languagesFault:
      "These are not all languages. Write tags such as en or pt-BR, at most 100.",
    languagesHint:
      "Language tags such as en de, with spaces between. Your home leaves out what this person writes or reshares in other languages. Leave it empty to see all.",
    save: "Save",
  },
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
