import type { englishCalendars } from "../../en/settings/calendars.ts";

/** The German texts of one's own calendars. */
export const germanCalendars: typeof englishCalendars = {
  title: "Deine Kalender",
  about:
    "Die du hier angelegt hast, und die deine Kalenderprogramme angelegt haben.",
  none: "Du hast noch keine Kalender.",
  isDefault: "Der für neue Termine",
  newTitle: "Ein neuer Kalender",
  name: "Name",
  create: "Kalender anlegen",
  change: "Name und Farbe",
  save: "Speichern",
  colors: {
    legend: "Farbe",
    none: "Keine",
    other: "Eine andere:",
    otherColor: "Eine andere Farbe",
    names: {
      crimson: "Rot",
      darkorange: "Orange",
      gold: "Gelb",
      yellowgreen: "Hellgrün",
      forestgreen: "Grün",
      lightseagreen: "Türkis",
      dodgerblue: "Hellblau",
      royalblue: "Blau",
      darkorchid: "Lila",
      hotpink: "Rosa",
      sienna: "Braun",
      slategray: "Grau",
    },
  },
  importFile: "Termine aus einer Datei hinzufügen",
  file: "Datei eines anderen Kalenders (.ics)",
  fileHint:
    "Höchstens 5 MB mit 1.000 Terminen. Nur du siehst sie. Was schon da ist, wird auf den neuen Stand gebracht.",
  startImport: "Termine hinzufügen",
  imported: (created, updated, unchanged) =>
    `${created} hinzugefügt, ${updated} auf den neuen Stand gebracht, ${unchanged} schon da.`,
  refused: "Diese ließen sich nicht hinzufügen:",
  subscribe: "In einem anderen Programm lesen",
  publicAddress: "Seine öffentlichen Termine:",
  secretAddress:
    "Alle seine Termine, für jeden, der diese Adresse kennt. Angelegt am",
  noSecret:
    "Eine geheime Adresse zeigt jedem, der sie kennt, alle Termine dieses Kalenders.",
  makeSecret: "Geheime Adresse anlegen",
  renewSecret: "Geheime Adresse ersetzen",
  endSecret: "Geheime Adresse beenden",
  delete: "Diesen Kalender löschen",
  deleteTitle: "Diesen Kalender löschen?",
  deleteAbout:
    "Alle seine Termine verschwinden mit ihm, und andere Server werden gebeten, sie ebenfalls zu löschen.",
  deleteAll: "Kalender und Termine löschen",
  keep: "Behalten",
  shares: {
    title: "Mit anderen teilen",
    about:
      "Sie sehen die Termine dieses Kalenders, die nur dir gehören. Termine, die du angekündigt hast, sehen weiterhin nur ihre Gäste.",
    person: "Jemand auf diesem Server",
    aspect: "Oder ein Aspekt, mit allen darin",
    noAspect: "Keiner",
    write: "Sie dürfen ihn auch ändern",
    writeHint: "Nur Termine, die nur dir gehören, und in deinem Namen.",
    share: "Teilen",
    mayRead: "darf ihn lesen",
    mayWrite: "darf ihn lesen und ändern",
    end: "Nicht mehr teilen",
    sharedTitle: "Mit dir geteilt",
    sharedAbout: "Auch deine Kalenderprogramme zeigen sie.",
    by: "von",
    leave: "Diesen Kalender verlassen",
    faults: {
      one: "Nenne entweder eine Person oder einen Aspekt.",
      nobody: (address) => `Unter ${address} wurde niemand gefunden.`,
      refused:
        "Nichts wurde geteilt: Ein Kalender lässt sich mit bis zu 100 anderen Personen und Aspekten dieses Servers teilen.",
    },
  },
  subscribed: {
    title: "Kalender anderer Server",
    about:
      "Feiertage, Spielpläne, Dienstpläne: jeder Kalender mit einer Adresse (.ics, webcal). Nur du siehst sie, in deinem Monat und in deinen Kalenderprogrammen.",
    add: "Einen Kalender abonnieren",
    url: "Seine Adresse",
    urlHint: "Sie beginnt mit https:// oder webcal://",
    name: "Dein Name dafür, wenn er anders heißen soll",
    subscribe: "Abonnieren",
    done: (name) => `Du siehst jetzt die Termine von „${name}“.`,
    readAt: "Zuletzt gelesen:",
    refresh: "Jetzt neu lesen",
    end: "Abonnement beenden",
    from: "Aus dem Kalender",
    triedAgain: "Der nächste Versuch:",
    faults: {
      address: "Das ist keine Adresse eines Kalenders.",
      known:
        "Du hast diesen Kalender schon abonniert, oder schon 20 andere: Mehr geht nicht.",
      blocked: "Dieser Server verkehrt nicht mit dem Server dieses Kalenders.",
      forbidden:
        "Sein Server zeigt ihn nicht. Vielleicht hat er eine andere, geheime Adresse für Kalenderprogramme.",
      gone: "Unter seiner Adresse ist nichts.",
      no_calendar: "Was unter seiner Adresse liegt, ist kein Kalender.",
      too_large: "Er hat mehr als 2 MB oder mehr als 5.000 Termine.",
      unreachable: "Sein Server hat nicht richtig geantwortet.",
    },
  },
  faults: {
    blank: "Gib dem Kalender einen Namen.",
    refused:
      "Nichts wurde geändert: Ein Name hat höchstens 255 Zeichen, und eine Datei muss ein Kalender mit höchstens 1.000 Terminen sein.",
  },
};
