/** Addresses that this server must never connect to, in all spellings of a URL. */
const LITERALS = [
  // This machine.
  ...["127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.255.255.254"],
  ...["2130706433", "0x7f000001", "0x7f.1", "0x7F.0x0.0x0.0x1"],
  ...["0177.0.0.1", "017700000001", "00000177.0.0.1", "%31%32%37.0.0.1"],
  ...["１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1"],
  ...["0.0.0.0", "0", "0x0", "00000000000", "0.1.2.3"],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[0:0::0]"],
  // The network around it.
  ...["10.0.0.1", "10.1", "0xa000001", "172.16.0.1", "172.31.255.255"],
  ...["192.168.1.1", "3232235777", "0300.0250.1.1", "100.64.0.1"],
  ...["[fc00::1]", "[fd00::1]", "[fd00:ec2::254]"],
  // Metadata services of cloud providers.
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376"],
  ...["[fe80::1]", "[fe80::a9fe:a9fe]", "[fec0::1]"],
  // Ranges for special uses.
  ...["192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1"],
  ...["203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1"],
  ...["255.255.255.255", "[100::1]", "[2001:db8::1]", "[3fff::1]", "[ff02::1]"],
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:0]"],
  ...["[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::FFFF:A9FE:A9FE]"],
  ...["[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]"],
  ...["[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::7f00:1]"],
  ...["[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2001:0:7f00:1::]"],
  "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
  // Even public addresses are not valid hosts.
  ...["8.8.8.8", "134744072", "[2606:4700:4700::1111]"],
] as const;

/** Names with a local meaning, or of another network, whatever a resolver answers. */
const LOCAL_NAMES = [
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ"],
  ...["router", "kubernetes", "printer.local", "PRINTER.LOCAL."],
  ...["metadata.google.internal", "nas.home.arpa", "x.onion", "x.i2p"],
] as const;

/** Resolutions of internet names: the first and later answers of a name server. */
const ANSWERS: readonly (readonly string[])[] = [
  ...["127.0.0.1", "0.0.0.0", "10.0.0.1", "192.168.1.1", "169.254.169.254"],
  ...["100.64.0.1", "198.18.0.1", "::", "::1", "::ffff:127.0.0.1"],
  ...["64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "fd00::1", "fe80::1"],
  ...["ff02::1", "::ffff:0:0", "255.255.255.255"],
].map((address) => [address]);

const MIXED = [
  ["9.9.9.9", "127.0.0.1"],
  ["2606:4700:4700::1111", "::1"],
  ["9.9.9.9", "169.254.169.254", "1.1.1.1"],
  ["9.9.9.9", "::ffff:10.0.0.1"],
];

const answers = [...ANSWERS, ...MIXED];
const nameOf = (n: number) => `leads-home-${n}.example`;

/** The hosts among the hostile URLs, for features that take a host instead of a URL. */
export const HOSTILE_HOSTS: readonly string[] = [
  ...LITERALS,
  ...LOCAL_NAMES,
  ...answers.map((_, n) => nameOf(n)),
];

/** Answers like the name servers of these hosts; anything else resolves to this machine. */
export async function resolveHostile(host: string) {
  const n = Number(/^leads-home-(\d+)\.example$/.exec(host)?.[1] ?? -1);
  return (answers[n] ?? ["127.0.0.1"]).map((address) => ({
    address,
    family: address.includes(":") ? (6 as const) : (4 as const),
  }));
}

/** URLs that no feature may follow. @param port of the trap */
export function hostileUrls(port: number): string[] {
  const others = [
    ...["ftp", "gopher", "ws", "http+unix", "dict", "ldap", "sftp", "jar"].map(
      (scheme) => `${scheme}://127.0.0.1:${port}/x`,
    ),
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "data:application/activity+json,%7B%22type%22%3A%22Note%22%7D",
    "data:text/html;base64,PGI+",
    "javascript:alert(1)",
    `blob:http://127.0.0.1:${port}/1`,
    `https://user@127.0.0.1:${port}/x`,
    `https://user:password@127.0.0.1:${port}/x`,
    `https://example.org@127.0.0.1:${port}/x`,
    `https://example.org%2f@127.0.0.1:${port}/x`,
    `https://127.0.0.1:${port}\\@example.org/x`,
    `https:127.0.0.1:${port}/x`,
    `https:\\\\127.0.0.1:${port}\\x`,
    `//127.0.0.1:${port}/x`,
    `https://127.0.0.1:${port}#@example.org/x`,
    `https://127.0.0.1:${port}?@example.org/x`,
    ...["0", "22", "25", "80", "6379"].map((it) => `https://127.0.0.1:${it}/x`),
  ];
  return [
    ...HOSTILE_HOSTS.map((host) => `https://${host}:${port}/x`),
    // The first of each kind over http as well.
    ...["127.0.0.1", "[::1]", "0.0.0.0", "[::]", "localhost", nameOf(0)].map(
      (host) => `http://${host}:${port}/x`,
    ),
    ...others,
  ];
}
