/** The English texts of one's own calendars. */
export const englishCalendars = {
  title: "Your calendars",
  about:
    "Those that you made here, and those that your calendar programs have made.",
  none: "You have no calendars yet.",
  isDefault: "The one for new events",
  newTitle: "A new calendar",
  name: "Name",
  create: "Make the calendar",
  change: "Name and colour",
  save: "Save",
  colors: {
    legend: "Colour",
    none: "None",
    other: "Another:",
    otherColor: "Another colour",
    names: {
      crimson: "Red",
      darkorange: "Orange",
      gold: "Yellow",
      yellowgreen: "Light green",
      forestgreen: "Green",
      lightseagreen: "Turquoise",
      dodgerblue: "Light blue",
      royalblue: "Blue",
      darkorchid: "Purple",
      hotpink: "Pink",
      sienna: "Brown",
      slategray: "Grey",
    },
  },
  importFile: "Add events from a file",
  file: "File of another calendar (.ics)",
  fileHint:
    "At most 5 MB with 1,000 events. They are yours alone. Those that are here already are brought up to date.",
  startImport: "Add the events",
  imported: (created: number, updated: number, unchanged: number) =>
    `${created} added, ${updated} updated, ${unchanged} there already.`,
  refused: "These could not be added:",
  subscribe: "Read it in another program",
  publicAddress: "Its public events:",
  secretAddress:
    "All its events, for everybody who knows this address. Made on",
  noSecret:
    "A secret address shows all events of this calendar to everybody who knows it.",
  makeSecret: "Make a secret address",
  renewSecret: "Replace the secret address",
  endSecret: "End the secret address",
  delete: "Delete this calendar",
  deleteTitle: "Delete this calendar?",
  deleteAbout:
    "All its events go with it, and other servers are asked to delete them, too.",
  deleteAll: "Delete the calendar and its events",
  keep: "Keep it",
  shares: {
    title: "Share it with people",
    about:
      "They see the events of this calendar that are yours alone. Events that you announced are still seen by their guests only.",
    person: "A person of this server",
    aspect: "Or an aspect, with everybody in it",
    noAspect: "None",
    write: "They may change it, too",
    writeHint: "Only events that are yours alone, and in your name.",
    share: "Share it",
    mayRead: "may read it",
    mayWrite: "may read and change it",
    end: "End this share",
    sharedTitle: "Shared with you",
    sharedAbout: "Your calendar programs show them, too.",
    by: "by",
    leave: "Leave this calendar",
    faults: {
      one: "Name either a person or an aspect.",
      nobody: (address: string) => `Nobody was found at ${address}.`,
      refused:
        "Nothing was shared: a calendar can be shared with up to 100 other people and aspects of this server.",
    },
  },
  subscribed: {
    title: "Calendars of other servers",
    about:
      "Holidays, fixtures, rotas: any calendar with an address (.ics, webcal). You alone see them, in your month and in your calendar programs.",
    add: "Subscribe to a calendar",
    url: "Its address",
    urlHint: "It begins with https:// or webcal://",
    name: "Your name for it, if you like another one",
    subscribe: "Subscribe",
    done: (name: string) => `You now see the events of “${name}”.`,
    readAt: "Last read",
    refresh: "Read it again now",
    end: "End the subscription",
    from: "From the calendar",
    triedAgain: "It is tried again",
    faults: {
      address: "That is no address of a calendar.",
      known:
        "You subscribe to this calendar already, or to 20 others, which is as many as there can be.",
      blocked: "This server does not deal with the server of that calendar.",
      forbidden:
        "Its server does not show it. It may have another, secret address for calendar programs.",
      gone: "There is nothing at its address.",
      no_calendar: "What is at its address is no calendar.",
      too_large: "It has more than 2 MB, or more than 5,000 events.",
      unreachable: "Its server did not answer as it should.",
    },
  },
  faults: {
    blank: "Give the calendar a name.",
    refused:
      "Nothing was changed: a name has at most 255 characters, and a file must be a calendar with at most 1,000 events.",
  },
};
