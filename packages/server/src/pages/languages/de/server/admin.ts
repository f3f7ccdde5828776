import type { englishAdmin } from "../../en/server/admin.ts";

export const germanAdmin: typeof englishAdmin = {
  title: "Verwaltung",
  navigation: "Verwaltung",
  notices: {
    done: "Erledigt.",
    approved: "Das Konto ist angenommen: Es kann sich jetzt anmelden.",
    rejected: "Die Anmeldung ist abgelehnt, ihr Name ist wieder frei.",
    role_set: "Die Rolle ist geändert.",
    sessions_ended: "Alle Sitzungen und Zugriffe des Kontos sind beendet.",
    second_factor_reset:
      "Das Konto hat keinen zweiten Faktor und keine Passkeys mehr; alle seine Sitzungen und Zugriffe sind beendet.",
    revoked: "Die Einladung ist zurückgenommen.",
    host_decided: "Entschieden. Es gilt in wenigen Augenblicken.",
    host_list_imported: "Die Liste ist übernommen und wird gleich angewandt.",
    host_list_undone: "Der Import ist zurückgenommen.",
    host_forgiven: "Die Entscheidung über diesen Server ist aufgehoben.",
    banned: "Die Sperre gilt.",
    ban_lifted: "Die Sperre ist aufgehoben.",
    rule_set: "Die Regel ist gespeichert.",
    rule_on: "Die Regel gilt jetzt.",
    rule_off: "Die Regel gilt nicht mehr.",
    rule_deleted:
      "Die Regel ist gelöscht. Ihre Treffer bleiben im Protokoll.",
    relay_added: "Das Relay ist gefragt. Seine Antwort erscheint hier.",
    relay_removed: "Das Relay ist entfernt.",
    retried: "Die Aufträge sind jetzt fällig.",
    saved: "Deine Änderungen sind gespeichert.",
    dropped: "Die Aufträge sind aus der Warteschlange entfernt.",
  },
  commandLine: "Kommandozeile",

  overview: {
    title: "Übersicht",
    waiting: "Offene Aufgaben",
    nothing: "Keine offenen Aufgaben.",
    queue: "Wartende Aufträge",
    jobs: (waiting, dead) =>
      `${waiting} Aufträge warten, ${dead} wurden aufgegeben.`,
  },

  registrations: {
    title: "Anmeldungen",
    none: "Keine wartenden Anmeldungen.",
    name: "Name",
    since: "Seit",
    reason: "Warum sie dabei sein wollen",
    decide: "Entscheidung",
    noReason: "Nichts geschrieben.",
    approve: "Annehmen",
    reject: "Ablehnen",
    gone: "Diese Anmeldung wartet nicht mehr.",
  },

  accounts: {
    title: "Konten",
    search: "Suchen",
    name: "Name",
    role: "Rolle",
    state: "Zustand",
    any: "beliebig",
    since: "Seit",
    lastSeen: "Zuletzt gesehen",
    invitedBy: "Eingeladen von",
    change: "Ändern",
    none: "Kein solches Konto.",
    saveRole: "Rolle speichern",
    newPassword: "Neues Passwort geben",
    endSessions: "Sitzungen beenden",
    resetSecondFactor: "Zweiten Faktor wegnehmen",
    ask: {
      role: {
        question: (name) => `Die Rolle von ${name} ändern?`,
        button: "Rolle ändern",
      },
      password: {
        question: (name) =>
          `${name} das Passwort wegnehmen und ein neues geben? Alle Sitzungen und Zugriffe enden.`,
        button: "Neues geben",
      },
      sessions: {
        question: (name) => `Alle Sitzungen und Zugriffe von ${name} beenden?`,
        button: "Beenden",
      },
      second_factor: {
        question: (name) =>
          `${name} den zweiten Faktor und die Passkeys wegnehmen? Alle Sitzungen und Zugriffe enden.`,
        button: "Wegnehmen",
      },
    },
    passwordOf: (name) => `Das neue Passwort von ${name}`,
    passwordOnce:
      "Es wird nur dieses eine Mal angezeigt. Alle Sitzungen und Zugriffe des Kontos sind beendet.",
    lastAdmin:
      "Das ging nicht: Mindestens ein Admin muss bleiben, und geschlossene Konten lassen sich nicht ändern.",
    closed: "Geschlossene Konten lassen sich nicht ändern.",
    gone: "Dieses Konto gibt es nicht mehr.",
    roles: { user: "Mitglied", moderator: "Moderation", admin: "Admin" },
    states: {
      active: "aktiv",
      pending: "wartet",
      suspended: "gesperrt",
      closed: "geschlossen",
    },
  },

  hosts: {
    title: "Server",
    about:
      "Eine Entscheidung über einen Server gilt auch für alles unterhalb seines Namens.",
    host: "Server",
    decision: "Entscheidung",
    decided: "Entschieden",
    since: "Seit",
    reason: "Grund",
    decide: "Entscheiden",
    forgive: "Aufheben",
    action: "Aktion",
    none: "Noch keine Entscheidungen über Server.",
    noHost: "Das ist kein anderer Server.",
    gone: "Über diesen Server gibt es keine Entscheidung.",
    find: "Teil eines Namens",
    search: "Suchen",
    more: (n) =>
      `${n} weitere Entscheidungen sind nicht zu sehen: Suche nach einem Teil des Namens.`,
    lists: "Listen von Servern",
    listsAbout:
      "Eine Liste macht Entscheidungen strenger und hebt keine auf. Server, die du zugelassen hast, bleiben zugelassen. Ein Import lässt sich als Ganzes zurücknehmen.",
    list: "Liste",
    listHint:
      "Die CSV-Datei eines Mastodon-Servers, oder Namen von Servern, die blockiert werden sollen, je einer in einer Zeile",
    preview: "Zeigen, was sie ändern würde",
    previewTitle: "Was die Liste ändern würde",
    previewAbout:
      "Noch ist nichts geändert. Leute, Kontakte und Beiträge sind die hier bekannten, auch die aller Server unterhalb des Namens; Kontakte mit einem blockierten Server enden.",
    apply: (n) =>
      n === 1
        ? "So über 1 Server entscheiden"
        : `So über ${n} Server entscheiden`,
    exported: "Deine Entscheidungen als Liste",
    imports: "Importierte Listen",
    by: "Von",
    servers: "Server",
    undo: "Zurücknehmen",
    undone: "zurückgenommen",
    noList: "Das ist keine Liste von Servern.",
    noImport: "Diesen Import gibt es nicht, oder er ist schon zurückgenommen.",
    moreLines: "Nur die ersten tausend Zeilen sind zu sehen.",
    line: "Zeile",
    outcome: "Was daraus wird",
    people: "Leute",
    contacts: "Kontakte",
    posts: "Beiträge",
    outcomes: {
      new: "neu",
      stricter: "strenger als jetzt",
      same: "schon so entschieden",
      allowed: "von dir zugelassen",
      own: "dieser Server selbst",
      hidden: "der Name ist durch Sterne verdeckt",
      no_host: "kein Name eines Servers",
      nothing: "die Zeile entscheidet nichts",
      severity: "unbekannte Strenge",
      twice: "schon weiter oben genannt",
    },
    decisions: {
      block:
        "Blockieren: Nichts wird ausgetauscht, seine Leute werden niemandem gezeigt",
      silence: "Stummschalten: Seine öffentlichen Beiträge sehen nur Kontakte",
      reject_media: "Keine Bilder von ihm zeigen",
      allow: "Zulassen, wo nur zugelassene Server mitmachen",
    },
    states: {
      blocked: "blockiert",
      silenced: "stumm",
      mediaRejected: "keine Bilder",
      allowed: "zugelassen",
    },
  },

  bans: {
    title: "Sperren für Anmeldungen",
    about:
      "Sperren halten E-Mail-Domains mit allem darunter, einzelne E-Mail-Adressen und Netze davon ab, Konten anzulegen. Von einer E-Mail-Adresse wird nur ein Hash gespeichert.",
    kind: "Art",
    kinds: {
      mail_domain: "E-Mail-Domain",
      mail_address: "E-Mail-Adresse",
      network: "IP-Adresse oder Bereich wie 192.0.2.0/24",
    },
    value: "Domain, Adresse oder Bereich",
    what: "Gesperrt",
    severity: "Strenge",
    severities: {
      approval: "Neue Konten müssen freigegeben werden",
      no_sign_ups: "Keine neuen Konten",
      no_access: "Gar kein Zugang (nur Netze)",
    },
    days: "Tage bis zum Ende (leer: ohne Ende)",
    comment: "Bemerkung",
    since: "Seit",
    until: "Bis",
    action: "Aktion",
    noEnd: "ohne Ende",
    addressNumber: (id: number) => `E-Mail-Adresse, Sperre ${id}`,
    set: "Sperren",
    lift: "Aufheben",
    none: "Nichts ist gesperrt.",
    gone: "Diese Sperre gibt es nicht mehr.",
    refused:
      "Das lässt sich nicht sperren. Eine Domain sieht aus wie example.org, eine Adresse wie ann@example.org, ein Bereich wie 192.0.2.0/24: mindestens /8, bei IPv6 /16. Nur Netze können allen Zugang verlieren, und nicht dein eigenes. Eine Bemerkung hat höchstens 500 Zeichen, und ein Ende liegt höchstens 3.650 Tage entfernt.",
  },

  queue: {
    title: "Warteschlange und Relays",
    waiting: "Wartende Aufträge",
    nothing: "Nichts wartet.",
    kind: "Art",
    host: "Server",
    counts: "Wartend / laufend / aufgegeben",
    error: "Letzter Fehler",
    action: "Aktion",
    retry: "Jetzt versuchen",
    drop: "Verwerfen",
    dropSure: "endgültig",
    nobody: "keiner",
    relays: "Relays",
    noRelays: "Dieser Server nimmt an keinem Relay teil.",
    noActivityPub: "Relays brauchen ActivityPub, das hier abgeschaltet ist.",
    address: "Adresse",
    answer: "Antwort",
    add: "Relay fragen",
    remove: "Verlassen",
    noUrl:
      "Ein Relay wird mit der Adresse seiner Inbox oder seines Actors genannt, mit https.",
    known: "Dieses Relay steht schon in der Liste.",
    gone: "Dieses Relay gibt es nicht.",
    unsure:
      "Wähle Aufträge aus und bestätige, dass sie endgültig verworfen werden.",
  },

  audit: {
    title: "Protokoll",
    none: "Noch wurde nichts getan.",
    when: "Wann",
    by: "Von",
    action: "Was",
    target: "Woran",
    details: "Einzelheiten",
  },
};
