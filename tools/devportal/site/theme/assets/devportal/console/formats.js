// What texts of a format look like. Loaded where a schema names one: those that values are checked for when a
// site is built, and no others.

import { FORMATS } from "./validate.js";

const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;
const DURATION = /^P(?!$)(\d+W|(\d+Y(?!\d+D))?(\d+M)?(\d+D)?(T(?=\d)(\d+H(?!\d+S))?(\d+M)?(\d+S)?)?)$/;
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
const LABEL = "(?!(?!xn)..--)[a-zA-Z\\d]([a-zA-Z\\d-]{0,61}[a-zA-Z\\d])?";
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(\\.${LABEL})*$`);
const VARIABLE = "(\\w|%[\\da-f]{2})(\\.?(\\w|%[\\da-f]{2}))*(:[1-9]\\d{0,3}|\\*)?";
const TEMPLATE = new RegExp(
  `^([^\\x00-\\x20"<>%\\\\^\`{|}\\x7f]|%[\\da-f]{2}|\\{[+#./;?&=,!@|]?${VARIABLE}(,${VARIABLE})*\\})*$`,
  "i",
);
const ESCAPE = /(\\[a-z\d^$\\.*+?()[\]{}|/])|\\./gis; // of what means itself, too
const POINTER = "(/([^~]|~[01])*)?$";

// An address (RFC 3986, Appendix A), with `further` characters; what stands in brackets in it is looked at by
// itself.
function addresses(further) {
  const some = (more) => `(?:[\\w.~!$&'()*+,;=${further}${more}-]|%[\\da-fA-F]{2})*`;
  const host = `(?:${some(":")}@)?(?:\\[([^\\]]*)\\]|${some("")})(?::\\d*)?(?![^/?#])`;
  const rest = `${some(":@/")}(?:\\?${some(":@/?")})?(?:#${some(":@/?")})?$`;
  const scheme = "[a-zA-Z][a-zA-Z\\d+.-]*:";
  return [scheme, `(?:${scheme}|(?![^/?#]*:))`].map(
    (start) => new RegExp(`^${start}(?://${host}|(?!//))${rest}`, "u"),
  );
}

const [URI, URI_REFERENCE] = addresses("");
const [IRI, IRI_REFERENCE] = addresses("\\u{a0}-\\u{10ffff}"); // more than RFC 3987 §2.2 has: private ones too

function isAddress(text, form) {
  const [found, literal] = form.exec(text) ?? [];
  return (
    found !== undefined &&
    (literal === undefined || isIpv6(literal) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal))
  );
}

const matches = (form) => (text) => form.test(text);

function isMade(make) {
  try {
    return Boolean(make());
  } catch {
    return false;
  }
}

const isDate = (text) =>
  /^\d{4}(-\d\d){2}$/.test(text) && isMade(() => new Date(text).toISOString().startsWith(text));

// A second more is there at the end of a day only.
function isTime(text) {
  const [found, hour, minute, second, sign, hours = 0, minutes = 0] = TIME.exec(text) ?? [];
  const apart = (hours * 60 + Number(minutes)) * (sign === "-" ? 1 : -1);
  return found !== undefined && (second < 60 || (hour * 60 + Number(minute) + apart + 1441) % 1440 === 0);
}

const isIpv6 = (text) => /^[\da-f:.]+$/i.test(text) && isMade(() => new URL(`http://[${text}]`));

// As a browser writes it in ASCII; a last label of letters keeps it from being read as a number.
const asciiOf = (text) => new URL(`http://${text}.x`).hostname.slice(0, -2);
const isIdnHost = (text) =>
  !/[^-.\w\x80-\uffff]|(^|\.)(-|(?!xn)..--)|-(\.|$)/.test(text) && isMade(() => HOST.test(asciiOf(text)));

function mail(more, isName) {
  const atom = `[\\w!#$%&'*+/=?^\`{|}~${more}-]+`;
  const form = new RegExp(
    `^(?=.{1,64}@[^@]*$)(?:"(?:[\\t !#-\\[\\]-~${more}]|\\\\[!-~${more}])*"|${atom}(?:\\.${atom})*)@(.*)$`,
  );
  return (text) => {
    const [, domain = ""] = form.exec(text) ?? [];
    const [, literal, ipv6] = /^\[((IPv6:)?.*)\]$/.exec(domain) ?? [];
    if (ipv6) return isIpv6(literal.slice(5));
    return literal ? IPV4.test(literal) : isName(domain);
  };
}

Object.assign(FORMATS, {
  date: isDate,
  time: isTime,
  "date-time": (text) => /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  duration: matches(DURATION),
  email: mail("", matches(HOST)),
  "idn-email": mail("\\x80-\\uffff", isIdnHost),
  hostname: matches(HOST),
  "idn-hostname": isIdnHost,
  ipv4: matches(IPV4),
  ipv6: isIpv6,
  uri: (text) => isAddress(text, URI),
  "uri-reference": (text) => isAddress(text, URI_REFERENCE),
  iri: (text) => isAddress(text, IRI),
  "iri-reference": (text) => isAddress(text, IRI_REFERENCE),
  "uri-template": matches(TEMPLATE),
  uuid: matches(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i),
  "json-pointer": matches(new RegExp(`^${POINTER}`)),
  "relative-json-pointer": matches(new RegExp(`^(0|[1-9]\\d*)(#$|${POINTER})`)),
  regex: (text) =>
    isMade(
      () =>
        new RegExp(
          text.replace(ESCAPE, (_, needed) => needed ?? "x"),
          "u",
        ),
    ),
});
