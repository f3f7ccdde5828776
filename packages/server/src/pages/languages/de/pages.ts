import { counted } from "../plurals.ts";
import type { englishPages } from "../en/pages.ts";
import { germanPoll } from "./posts/poll.ts";

export const germanPages: typeof englishPages = {
  language: "de",
  skipToContent: "Zum Inhalt springen",
  mainNavigation: "Hauptmenü",
  signIn: "Anmelden",
  signUp: "Konto anlegen",
  signOut: "Abmelden",
  places: {
    home: "Start",
    events: "Termine",
    write: "Schreiben",
    me: "Ich",
    search: "Suchen",
    searchHere: "Leute, Tags und Beiträge suchen",
  },
  notifications: "Mitteilungen",
  unread: "ungelesen",
  contacts: "Leute",
  profile: "Profil",
  settings: "Einstellungen",
  administration: "Verwaltung",
  olderPosts: "Ältere Beiträge",
  newerPosts: "Neuere Beiträge",
  laterComments: "Spätere Kommentare",
  earlierComments: "Frühere Kommentare",

  list: {
    table: "Tabelle",
    older: "Ältere",
    newer: "Neuere",
    back: "Zurück zur Liste",
  },

  form: {
    expired:
      "Das Formular war veraltet, deshalb wurde nichts geändert. Was du eingegeben hast, ist noch da: Sieh es an und schick es noch einmal ab.",
    signedOut:
      "Du warst abgemeldet, deshalb wurde nichts geändert. Was du eingegeben hast, ist noch da: Sieh es an und schick es ab.",
  },

  landing: {
    title: (host) => host,
    heading: "Deine Leute, wo immer sie sind",
    about:
      "Kith ist ein soziales Netz aus vielen Servern. Schreib an alle oder nur an die Leute, die du auswählst; sprich mit Leuten auf jedem Server von diaspora* und im Fediverse.",
    handles: "Wer hier ein Konto anlegt, bekommt eine Adresse wie",
    handleExample: "name",
    closed: "Dieser Server nimmt zurzeit keine neuen Konten auf.",
    approval: "Neue Konten werden geprüft, bevor man sie benutzen kann.",
    toHome: "Zur Startseite",
    signedInAs: "Du bist angemeldet als",
  },

  account: {
    signUpTitle: "Konto anlegen",
    signInTitle: "Anmelden",
    kept: "Du bist nicht mehr angemeldet. Dein Text ist aufgehoben: Melde dich an, um weiterzumachen.",
    username: "Benutzername",
    usernameHint: (host) =>
      `Kleinbuchstaben, Ziffern und Unterstriche, höchstens 30. Deine Adresse wird benutzername@${host} sein und lässt sich später nicht ändern.`,
    password: "Passwort",
    passwordHint: (min) =>
      `Mindestens ${min} Zeichen. Ein paar Wörter merkt man sich leichter als ein seltsames.`,
    confirm: "Passwort noch einmal",
    haveAccount: "Du hast schon ein Konto?",
    noAccount: "Noch kein Konto?",
    wrong: "Es gibt kein Konto mit diesem Benutzernamen und Passwort.",
    suspended:
      "Dieses Konto ist gesperrt. Du kannst dich wieder anmelden, sobald die Sperre aufgehoben ist.",
    reason: "Warum möchtest du dabei sein?",
    reasonHint: (max) =>
      `Das sieht nur die Moderation, und nur bis zu ihrer Entscheidung. Höchstens ${max} Zeichen; du kannst es leer lassen.`,
    invited: "Du bist eingeladen: Du kannst dein Konto sofort benutzen.",
    approval:
      "Neue Konten müssen angenommen werden. Du kannst dich anmelden, sobald dein Konto angenommen ist.",
    notices: {
      created: "Dein Konto ist fertig. Melde dich an, um anzufangen.",
      pending:
        "Dein Konto ist angelegt. Du kannst dich anmelden, sobald es angenommen ist.",
    },
    faults: {
      username_blank: "Wähle einen Benutzernamen.",
      username_malformed:
        "Ein Benutzername hat 1 bis 30 Zeichen: Buchstaben von a bis z, Ziffern und _.",
      username_taken: "Dieser Benutzername ist vergeben.",
      password_too_short: "Das Passwort ist zu kurz.",
      password_too_long: "Das Passwort ist zu lang.",
      reason_too_long: "Deine Begründung ist zu lang.",
      network_refused: "Aus deinem Netz kann kein Konto angelegt werden.",
      email_refused: "Diese E-Mail-Adresse kann hier nicht benutzt werden.",
      confirm_differs: "Die beiden Passwörter sind verschieden.",
    },
  },

  write: {
    text: "Was beschäftigt dich?",
    hint: "Markdown geht: *betont*, **wichtig**, > Zitat, [Link](https://…).",
    audience: "Wer es sieht",
    audiences: {
      everyone: "Alle",
      unlisted: "Alle, aber nicht in öffentlichen Listen",
      followers: "Alle, die mir folgen",
      all_aspects: "Alle meine Aspekte",
      aspects: "Ausgewählte Aspekte",
      mentioned: "Die im Text erwähnten Leute",
      self: "Nur ich",
    },
    members: (n) => counted(n, "1 Person", `${n} Leute`),
    more: "Bilder, Videos, Umfrage, Inhaltswarnung",
    warning: "Inhaltswarnung",
    warningHint: "Steht statt des Beitrags da, bis jemand ihn öffnet.",
    photos: "Bilder, Töne und Videos",
    photosHint: (most) =>
      `Bis zu ${most}: JPEG, PNG, GIF, WebP, AVIF, MP4, WebM, MP3, Ogg, FLAC oder WAVE.`,
    photoTexts: "Was darauf zu sehen oder zu hören ist",
    photoTextsHint:
      "Eine Zeile für jede Datei, für Leute, die sie nicht sehen oder hören können.",
    attached: (n) =>
      counted(n, "1 Datei ist angehängt.", `${n} Dateien sind angehängt.`),
    question: "Frage einer Umfrage",
    answers: "Antworten",
    answersHint: "Eine Zeile für jede Antwort, 2 bis 20.",
    multiple: "Mehrere Antworten sind möglich",
    noneChosen: "Wähle mindestens einen Aspekt aus.",
    photoRefused:
      "Eine Datei ließ sich nicht verwenden: Sie ist zu groß, zu lang oder hat ein anderes Format. Die anderen sind angehängt.",
    pollRefused:
      "Eine Umfrage braucht eine Frage und 2 bis 20 verschiedene Antworten mit höchstens 255 Zeichen.",
    publish: "Veröffentlichen",
    toWholeForm: "Mehr…",
    blank: "Schreib zuerst etwas.",
    expired:
      "Das Formular war veraltet, deshalb wurde nichts veröffentlicht. Dein Text ist noch da: Sieh nach, wer ihn sieht, und veröffentliche ihn noch einmal.",
    signedOut:
      "Du warst abgemeldet, deshalb wurde nichts veröffentlicht. Dein Text ist noch da: Sieh nach, wer ihn sieht, und veröffentliche ihn.",
    tooLong: (max) => `Ein Beitrag hat höchstens ${max} Zeichen.`,
    noAspect:
      "Diesen Aspekt gibt es nicht mehr. Wähle, wer den Beitrag sehen soll.",
  },

  post: {
    titleBy: (name) => `Ein Beitrag von ${name}`,
    everyone: "Alle",
    limited: "Begrenzt",
    limitedHint: "Das sehen nur manche",
    pinned: "Angeheftet",
    reshared: "hat geteilt",
    rootGone: "Der geteilte Beitrag ist nicht hier.",
    quotedLink: "Zitierter Beitrag",
    quoteStates: {
      pending: "Das Zitat ist noch nicht erlaubt worden.",
      rejected: "Das Zitat ist nicht erlaubt worden.",
      revoked: "Das Zitat ist nicht mehr erlaubt.",
    },
    revokeQuote: "Meinen Beitrag aus diesem Zitat nehmen",
    linkPreview: "Verlinkte Seite",
    comments: (n) => `${n} ${counted(n, "Kommentar", "Kommentare")}`,
    likes: (n) => `${n} ${counted(n, "Like", "Likes")}`,
    reactions: "Reaktionen",
    whoReacted: "Wer reagiert hat",
    commentsTitle: "Kommentare",
    noComments: "Noch keine Kommentare.",
    nsfw: "Heikler Inhalt: anzeigen",
    photo: "Bild ohne Beschreibung",
    video: "Video ohne Beschreibung",
    sound: "Ton ohne Beschreibung",
    open: (name) => `Öffnen: ${name}`,
    written: "Geschrieben in",
    original: (host) => `Original auf ${host}`,
  },

  answer: {
    like: "Liken",
    unlike: "Like zurücknehmen",
    reshare: "Teilen",
    unreshare: "Nicht mehr teilen",
    edit: "Bearbeiten",
    delete: "Löschen",
    more: "Mehr",
    bookmark: "Merken",
    unbookmark: "Nicht mehr merken",
    pin: "Im Profil anheften",
    unpin: "Nicht mehr anheften",
    answer: "Antworten",
    postBy: (name) => `(Beitrag von ${name})`,
    commentBy: (name) => `(Kommentar von ${name})`,
    text: "Schreib einen Kommentar",
    send: "Kommentieren",
    signIn: "Melde dich an, um zu kommentieren",
    inAnswerTo: "Antwort an",
    onPost: "Stattdessen den Beitrag kommentieren",
    blank: "Schreib zuerst etwas.",
    tooLong: (max) => `Ein Kommentar hat höchstens ${max} Zeichen.`,
    answeredIsGone:
      "Der Kommentar, auf den du geantwortet hast, ist nicht mehr da. Du kannst noch den Beitrag kommentieren.",
    expired:
      "Das Formular war veraltet, deshalb wurde nichts gesendet. Dein Text ist noch da: Sende ihn noch einmal.",
    signedOut:
      "Du warst abgemeldet, deshalb wurde nichts gesendet. Dein Text ist noch da: Sende ihn jetzt.",
  },

  report: {
    links: {
      post: "Diesen Beitrag melden",
      comment: "Diesen Kommentar melden",
      person: "Diese Person melden",
    },
    whoReads:
      "Die Moderation dieses Servers liest es. Die gemeldete Person erfährt nichts davon.",
    category: "Was ist damit nicht in Ordnung?",
    categories: {
      spam: "Es ist Spam",
      legal: "Es ist gegen das Gesetz",
      violation: "Es ist gegen die Regeln dieses Servers",
      other: "Etwas anderes",
    },
    text: "In deinen Worten",
    forward:
      "Ist die Person auf einem anderen Server, soll auch dessen Moderation es erfahren. Wer du bist, erfährt sie nicht.",
    send: "Melden",
    thanks: "Danke. Deine Meldung ist angekommen.",
    isForwarded: "Der Server der Person wird ebenfalls benachrichtigt.",
    isNotForwarded: "Kein anderer Server wird benachrichtigt.",
    back: "Zur Startseite",
    refused: "Das ist zu lang, oder es ist von dir selbst.",
    expired:
      "Das Formular war veraltet, deshalb wurde nichts gesendet. Dein Text ist noch da: Sende ihn noch einmal.",
    signedOut:
      "Du warst abgemeldet, deshalb wurde nichts gesendet. Dein Text ist noch da: Sende ihn jetzt.",
  },

  poll: germanPoll,

  settingsPage: {
    title: "Einstellungen",
    language: "Sprache",
    timeZone: "Zeitzone",
    timeZoneHint: "In ihr werden Zeiten angezeigt.",
    postLanguage: "Sprache, in der du schreibst",
    postLanguageHint:
      "Ein Sprachkürzel wie de oder pt-BR. Deine Beiträge und Kommentare nennen es, wenn du keine andere wählst. Leer heißt: keine.",
    readLanguages: "Sprachen, die du liest",
    readLanguagesHint:
      "Sprachkürzel wie de en, mit Leerzeichen dazwischen. Deine Startseite und die öffentlichen Beiträge lassen Beiträge in anderen Sprachen weg. Leer heißt: alle.",
    appearance: "Erscheinungsbild",
    appearances: {
      system: "Wie auf deinem Gerät",
      light: "Hell",
      dark: "Dunkel",
    },
    appearanceHint: "Es gilt nur für diesen Browser.",
    linkPreviews: "Vorschau verlinkter Seiten",
    linkPreviewsHint:
      "Dieser Server besucht die Seite, auf die ein öffentlicher Beitrag von dir verweist, und zeigt ihren Titel und ihr Bild unter dem Beitrag.",
    save: "Speichern",
    saved: "Deine Einstellungen sind gespeichert.",
    refused:
      "Eine Sprache, die Zeitzone oder das Erscheinungsbild ist hier nicht bekannt. Nichts wurde geändert.",
    more: "Alle Einstellungen",
    general: "Sprache, Zeit und Aussehen",
    security: "Sicherheit",
    securityAbout:
      "Passwort, zweiter Faktor, Passkeys, Sitzungen und Programme",
    profile: "Dein Profil",
    invitations: "Einladungen",
  },

  profileForm: {
    title: "Dein Profil",
    saved: "Dein Profil ist gespeichert.",
    firstName: "Vorname",
    lastName: "Nachname",
    bio: "Über dich",
    location: "Wo du wohnst",
    gender: "Geschlecht",
    birthday: "Geburtstag",
    shownTo: "Wer es sieht",
    audiences: {
      everyone: "Alle",
      contacts: "Leute, mit denen du teilst",
      nobody: "Niemand",
    },
    picture: "Neues Bild",
    header: "Neues Titelbild, breit",
    removePicture: "Das Bild entfernen",
    removeHeader: "Das Titelbild entfernen",
    pictureHint: "JPEG, PNG, GIF, WebP oder AVIF. Alle sehen es.",
    fields: "Eigene Zeilen",
    fieldsHint:
      "Zum Beispiel „Pronomen“ oder „Webseite“. Sie sieht, wer auch sieht, was du über dich schreibst.",
    fieldName: (n) => `Name der Zeile ${n}`,
    fieldValue: (n) => `Text der Zeile ${n}`,
    nsfw: "Meine Beiträge sind nicht für alle Augen",
    bot: "Hier schreibt ein Programm von selbst",
    save: "Profil speichern",
    refused:
      "Nichts wurde gespeichert. Vor- und Nachname haben höchstens 32 Zeichen und kein Semikolon, Orte und Geschlechter höchstens 255, ein Geburtstag ist ein Datum, das nicht in der Zukunft liegt, und jede eigene Zeile braucht einen Namen und einen Text.",
    pictureRefused:
      "Nichts wurde gespeichert: Das Bild ist zu groß oder hat ein anderes Format.",
    expired:
      "Das Formular war veraltet, deshalb wurde nichts gespeichert. Was du eingegeben hast, ist noch da: Speichere es noch einmal.",
    signedOut:
      "Du warst abgemeldet, deshalb wurde nichts gespeichert. Was du eingegeben hast, ist noch da: Speichere es jetzt.",
  },

  bookmarks: {
    title: "Gemerkt",
    about: "Nur du siehst, was du dir merkst.",
    none: "Noch nichts gemerkt. Merke dir einen Beitrag, um ihn hier wiederzufinden.",
  },

  person: {
    posts: "Beiträge",
    change: "Profil bearbeiten",
    invite: "Leute einladen",
    feeds: "Feeds:",
    noPosts: "Hier ist noch nichts zu sehen.",
    elsewhere: (host) => `Diese Person ist auf dem Server ${host} zu Hause.`,
    visitHome: "Zur Seite dort",
    locked: "Diese Person entscheidet, wer ihr folgt.",
    kinds: {
      bot: "Hier schreibt ein Programm von selbst.",
      group: "Dies ist eine Gruppe.",
    },
    moved: "Diese Person ist umgezogen und ist jetzt",
    description: (name, handle) => `${name} (${handle}) auf Kith`,
  },

  apiDocs: {
    title: "Die Schnittstelle für Programme",
    contents: "Inhalt",
    base: "Alle Pfade beginnen mit",
    token:
      "Das Token steht im Header access_token, in Authorization: Bearer oder im Parameter access_token.",
    machines: "Dasselbe als OpenAPI-Dokument.",
    noToken: "Braucht kein Token.",
    parameters: "Parameter",
    inPath: "im Pfad",
    required: "(nötig)",
    answers: "Antworten",
    records: "Datensätze",
    mayMiss: "(fehlt, wo es keinen gibt)",
    or: "oder",
    listOf: "Liste von",
    types: {
      "date-time": "Zeit",
      null: "null",
      string: "Text",
      integer: "Zahl",
      boolean: "true oder false",
      object: "Objekt",
    },
  },

  error: {
    home: "Zur Startseite",
    notFound: {
      title: "Hier ist nichts zu sehen",
      text: "Diese Seite gibt es nicht, oder du darfst sie nicht sehen.",
      signIn: "Melde dich an, wenn du ein Konto hast",
    },
    forbidden: {
      title: "Das wurde nicht angenommen",
      text: "Das Formular ist veraltet oder kam von einer anderen Seite. Geh zurück, lade die Seite neu und schick es noch einmal ab.",
    },
    registrationClosed: {
      title: "Keine neuen Konten",
      text: "Dieser Server nimmt zurzeit keine neuen Konten auf.",
    },
    invitationRefused: {
      title: "Diese Einladung gilt nicht",
      text: "Vielleicht ist sie falsch abgeschrieben, aufgebraucht, zurückgenommen oder abgelaufen. Bitte die Person, die dich eingeladen hat, um eine andere.",
    },
    tooLarge: {
      title: "Zu viel auf einmal",
      text: "Was du hochlädst, ist größer, als dieser Server erlaubt.",
    },
    tooMany: {
      title: "Zu oft",
      text: "Zu viele Anfragen in kurzer Zeit. Warte eine Weile und versuch es noch einmal.",
    },
    refused: {
      title: "Das hat nicht geklappt",
      text: "Der Server konnte die Anfrage nicht verstehen.",
    },
    failed: {
      title: "Hier ist etwas schiefgegangen",
      text: "Das liegt nicht an dir. Der Fehler ist notiert; versuch es später noch einmal.",
    },
  },
};
