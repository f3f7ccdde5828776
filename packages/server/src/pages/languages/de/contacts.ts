import type { englishContacts } from "../en/contacts.ts";

export const germanContacts: typeof englishContacts = {
  title: "Kontakte",
  find: "Leute finden",
  findHint:
    "Ein Name, eine Adresse wie name@host oder die Adresse eines Profils auf irgendeinem Server.",
  search: "Suchen",
  found: (query) => `Gefunden zu „${query}“`,
  nobodyFound:
    "Niemand wurde gefunden. Prüfe die Schreibweise; Leute auf anderen Servern werden mit ihrer ganzen Adresse gefunden.",
  aspects: "Deine Aspekte",
  aspectsAbout:
    "Aspekte sind deine eigenen Gruppen von Kontakten. Niemand sonst sieht sie, auch nicht, wer dazugehört.",
  noMembers: "In diesem Aspekt ist noch niemand.",
  newAspect: "Neuer Aspekt",
  name: "Name",
  create: "Anlegen",
  rename: "Umbenennen",
  change: "Umbenennen oder löschen",
  delete: "Diesen Aspekt löschen",
  deleteAbout:
    "Wer in keinem anderen Aspekt ist, dem folgst du dann nicht mehr. Beiträge bleiben bei denen, die sie bekommen haben.",
  blank: "Ein Aspekt braucht einen Namen.",
  tooLong: "Dieser Name ist zu lang.",
  followers: "Leute, die dir folgen",
  noFollowers: "Noch folgt dir niemand.",
  earlier: "Vorherige Leute",
  later: "Weitere Leute",
  inAspects: "In deinen Aspekten",
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  requested:
    "Du hast angefragt, dieser Person zu folgen. Sie hat noch nicht geantwortet.",
  requestRefused: "Diese Person hat deine Anfrage abgelehnt.",
  followsYou: "Folgt dir",
  requests: "Folgeanfragen",
  requestsAbout:
    "Bis du sie annimmst, sehen diese Leute nur, was alle sehen. Wen du ablehnst, kann wieder anfragen; blockiere eine Person, um das zu verhindern.",
  noRequests: "Niemand wartet auf deine Antwort.",
  waiting: (n) =>
    n === 1 ? "Eine Person möchte dir folgen" : `${n} Leute möchten dir folgen`,
  asksToFollow: "Diese Person möchte dir folgen.",
  accept: "Annehmen",
  refuse: "Ablehnen",
  acceptAll: "Alle annehmen",
  add: "Hinzufügen",
  remove: "Entfernen",
  addTo: (aspect) => `zu ${aspect}`,
  removeFrom: (aspect) => `aus ${aspect}`,
  more: "Mehr",
  removeFollower: "Aus meinen Followern entfernen",
  removeFollowerAbout:
    "Diese Person folgt dir nicht mehr und bekommt nicht mehr, was du an deine Follower schreibst; sie kann dir aber wieder folgen. Bei diaspora* erfährt ihr Server nichts davon.",
  ignore: "Ignorieren",
  unignore: "Nicht mehr ignorieren",
  ignoreAbout:
    "Was jemand schreibt, den du ignorierst, siehst du nicht mehr. Die Person erfährt davon nichts.",
  ignored: "Du ignorierst diese Person.",
  block: "Blockieren",
  unblock: "Nicht mehr blockieren",
  blockAbout:
    "Blockieren beendet den Kontakt auf beiden Seiten. Der Server der Person erfährt davon, und sie sieht nicht mehr, was du an deine Follower schreibst.",
  blocked: "Du hast diese Person blockiert.",
  blocks: "Leute, die du blockierst",
  noBlocks: "Du blockierst niemanden.",
  ignores: "Leute, die du ignorierst",
  noIgnores: "Du ignorierst niemanden.",
  hosts: "Server, die du blockierst",
  hostsAbout:
    "Nichts von diesen Servern erreicht dich, und deine Kontakte dort enden. Sie kommen nicht zurück, wenn du einen Server nicht mehr blockierst.",
  noHosts: "Du blockierst keine Server.",
  host: "Server",
  hostHint: "Der Teil einer Adresse hinter dem @, zum Beispiel example.com.",
  blockHost: "Diesen Server blockieren",
  unblockHost: "Nicht mehr blockieren",
  hostRefused:
    "Das ist nicht der Name eines anderen Servers, oder du blockierst schon so viele, wie es geht.",
  defaultAspect: "Ich folge",
};
