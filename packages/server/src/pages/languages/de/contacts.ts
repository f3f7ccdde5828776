import type { englishContacts } from "../en/contacts.ts";

export const germanContacts: typeof englishContacts = {
  title: "Leute",
  lists: "Welche Leute gezeigt werden",
  list: {
    held: "In deinen Aspekten",
    mutual: "Gegenseitig",
    followers: "Folgen dir",
    unheld: "Folgen dir, in keinem Aspekt",
  },
  nobodyIn: {
    held: "In deinen Aspekten ist noch niemand.",
    mutual: "Niemand aus deinen Aspekten folgt dir bisher.",
    followers: "Noch folgt dir niemand.",
    unheld: "Alle, die dir folgen, sind in einem deiner Aspekte.",
  },
  lookAround: "Dich umsehen",
  find: "Leute finden",
  findHint:
    "Ein Name, eine Adresse wie name@host oder die Adresse eines Profils auf irgendeinem Server.",
  search: "Suchen",
  found: (query) => `Gefunden zu „${query}“`,
  nobodyFound:
    "Niemand wurde gefunden. Prüfe die Schreibweise; Leute auf anderen Servern werden mit ihrer ganzen Adresse gefunden.",
  aspects: "Deine Aspekte",
  noMembers: "In diesem Aspekt ist noch niemand.",
  aspect: {
    title: "Deine Aspekte",
    about:
      "Aspekte sind deine eigenen Gruppen von Leuten. Niemand sonst sieht sie, auch nicht, wer dazugehört. In dieser Reihenfolge stehen sie überall, wo du einen auswählst.",
    new: "Neuer Aspekt",
    name: "Name",
    create: "Anlegen",
    rename: "Umbenennen",
    change: "Umbenennen oder löschen",
    home: {
      isThere:
        "Die Beiträge seiner Mitglieder stehen auch auf deiner Startseite.",
      isLeftOut:
        "Die Beiträge seiner Mitglieder stehen nur in diesem Aspekt, nicht auf deiner Startseite.",
      leaveOut: "Seine Beiträge auf der Startseite weglassen",
      show: "Seine Beiträge auf der Startseite zeigen",
    },
    move: {
      earlier: (name) => `${name} nach oben`,
      later: (name) => `${name} nach unten`,
    },
    posts: "Seine Beiträge lesen und an ihn schreiben",
    members: "Wer darin ist",
    shown: "Welche Leute gezeigt werden",
    inIt: "Mitglieder",
    all: "Alle, die du kennst",
    addPeople: "Leute hinzufügen",
    nobodyKnown: "Du hast noch mit niemandem Kontakt.",
    removedAbout:
      "Wen du hinzufügst, dem folgst du. Wer danach in keinem deiner Aspekte mehr ist, dem folgst du nicht mehr.",
    save: "Mitglieder speichern",
    delete: "Diesen Aspekt löschen",
    deleteTitle: "Diesen Aspekt löschen?",
    deleteAbout:
      "Wer in keinem anderen Aspekt ist, dem folgst du dann nicht mehr. Beiträge bleiben bei denen, die sie bekommen haben.",
    keep: "Behalten",
    taken: "Du hast schon einen Aspekt mit diesem Namen. Wähle einen anderen.",
    blank: "Ein Aspekt braucht einen Namen.",
    refused:
      "Es wurde nichts geändert: Der Name ist zu lang, oder du hast eine dieser Personen blockiert.",
  },
  earlier: "Vorherige Leute",
  later: "Weitere Leute",
  inAspects: "In deinen Aspekten",
  follow: "Folgen",
  unfollow: "Nicht mehr folgen",
  requested:
    "Du hast angefragt, dieser Person zu folgen. Sie hat noch nicht geantwortet.",
  requestRefused: "Diese Person hat deine Anfrage abgelehnt.",
  followsYou: "Folgt dir",
  requestedMark: "Hat noch nicht geantwortet",
  refusedMark: "Hat deine Anfrage abgelehnt",
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
  change: "Ändern",
  inNone: "In keinem deiner Aspekte",
  saveAspects: "Speichern",
  choices: {
    title: "Startseite und Mitteilungen",
    reshares: "Zeigen, was diese Person teilt",
    notify: "Mitteilung bei jedem neuen Beitrag",
    featured: "Diese Person auf meinem Profil empfehlen, für alle sichtbar",
    languages: "Nur Beiträge in diesen Sprachen",
    languagesFault:
      "Das sind nicht alles Sprachen. Schreib Kürzel wie de oder pt-BR, höchstens 100.",
    languagesHint:
      "Sprachkürzel wie de en, mit Leerzeichen dazwischen. Deine Startseite lässt weg, was diese Person in anderen Sprachen schreibt oder teilt. Leer heißt: alle.",
    save: "Speichern",
  },
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
