"""Texts that are of a format and texts that are not, by its name."""

DATE_TIMES = (
    "2026-11-22T10:00:00Z", "2026-11-22t10:00:00.123+01:00", "2026-11-22", "2026-11-22T25:00:00Z",
    "2026-13-01T10:00:00Z", "2026-11-22T10:00:00", "2026-11-22 10:00:00Z", "2026-11-31T10:00:00Z",
)  # fmt: skip
TIMES = (
    "10:00:00Z", "10:00:00+01:00", "10:00", "24:00:00Z", "10:00:00", "23:59:60Z", "10:00:60Z", "23:59:61Z",
    "00:59:60+01:00", "22:59:60-01:00", "23:59:60+01:00", "23:29:60.5+23:30", "10:00:00+24:00",
)  # fmt: skip
DURATIONS = (
    "P1Y2M3DT4H5M6S", "P4DT12H30M5S", "P1W", "PT36H", "P1YT1S", "PT0S", "P", "PT", "P1DT", "P1Y1D", "PT1H1S",
    "P1W1D", "PT1.5S", "-P1D", "p1d", "P1M1Y", "P1D2H", "P٣D",
)  # fmt: skip
EMAILS = (
    "a@b.example", "a.b+c@d.example", "a", "a@", "@b", "a b@c.example", "a..b@x.com", '"a b"@x.com',
    "é@x.com", '"a\\"@b"@x.com', '"a"b@x.com', "a@é.com", "a@b_c.com", "a@[127.0.0.1]", "a@[IPv6:::1]",
    "a@[IPv6:x]", "a@[x]", ".a@x.com", "a.@x.com", f"{'a' * 64}@x.com", f"{'a' * 65}@x.com", "a@x.com.",
    "a@@x.com",
)  # fmt: skip
URIS = (
    "https://a.example/b?c#d", "urn:x:y", "/a", "a b:c", "mailto:a@b.example", "http://a/%zz",
    "http://exa[mple", "http://é.com/", "http://[::1]:80/", "http://[::1/", "http://[v1.a:b]/",
    "http://[1.2.3.4]/", "http:", "x://", "http://a:8x/", "http://a@b@c/", "http://a/[", "http://a/?[",
    "http://a#b#c", "1a:b", "http://a/b|c", "", "//a", "a/b:c", "a:b", ":a", "#é", "?a/b", "//[::g]/",
    "//a:b/", "é:a", "http://é@é:1/é?\ue000#é", "é/é", "http://a/\U0001f600",
    "http://a/\x80", "http://a/ b", "data:image/png;base64,AA==",
)  # fmt: skip
HOSTS = (
    "a.example", "a-b.c", "-a.b", "a-.b", "a_b", "localhost", "", "a..b", "a.", "1.2.3.4", "ab--c", "é.com",
    "ß", "a--b", "実例.com", "a。b", "-é", "é-.com", "a/é", "a:1", "%41", f"{'a' * 63}.a", f"{'a' * 64}.a",
    "xn--bcher-kva.example", ".".join(["a" * 62] * 4), f"{'a' * 62}." * 4 + "a", "\u200d", "1.2.3.256",
)  # fmt: skip
TEMPLATES = (
    "http://x/{a}{?b,c*}", "", "{a.b:3}", "{a:0}", "{a:12345}", "{a%41}", "é%41", "%4", "{", "}", "{}",
    "{a,}", "{a..b}", "{a-b}", "{+a}", "{$a}", "a b", "|", "{a:1*}", "'",
)  # fmt: skip
POINTERS = (
    "", "/", "/a~0~1", "/a/b", "/é\n", "/~", "/~2", "a", "#/a", "0", "01", "10#", "0/a", "1#a", "-1", "1/~1",
)  # fmt: skip
REGEXES = (
    "^a+$", "[", "(", "a{2,1}", "\\p{L}", "\\_\\-", "[a\\-\\d]", "\\\\-", "\\A", "[\\w-.]",
    "(?<=a)b", "(?<n>a)", "(?i)a", "a++", "{", "]",
)  # fmt: skip
FORMATS = {
    "date": ("2026-11-22", "2024-02-29", "2026-02-29", "2026-1-1", "x", "2000-02-29", "1900-02-29"),
    "date-time": (*DATE_TIMES, "2026-12-31T23:59:60Z", "2026-12-31T10:59:60Z"),
    "time": TIMES,
    "duration": DURATIONS,
    "uuid": ("8e03978e-40d5-43e8-bc93-6894a57f9324", "8E03978E-40D5-43E8-BC93-6894A57F9324", "x"),
    "email": EMAILS,
    "idn-email": (*EMAILS, "실례@실례.테스트", '"é\\é"@é'),
    "ipv4": ("127.0.0.1", "256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4."),
    "ipv6": ("::1", "2001:db8::1", "1.2.3.4", ":::", "g::1", "::ffff:1.2.3.4", "::01.2.3.4", "::1%a"),
    "hostname": HOSTS,
    "idn-hostname": HOSTS,
    "uri": URIS,
    "uri-reference": (*URIS, "\\"),
    "iri": URIS,
    "iri-reference": URIS,
    "uri-template": TEMPLATES,
    "json-pointer": POINTERS,
    "relative-json-pointer": POINTERS,
    "regex": REGEXES,
    "int32": ("any",),
    "byte": ("any",),
    "password": ("any",),
}  # fmt: skip
