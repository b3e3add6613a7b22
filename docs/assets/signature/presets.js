// A genuine delivery, and the names of what cases.js makes of it.

import { utf8 } from "./bytes.js";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"; // of the tests of Standard Webhooks, and so no secret
const OTHER = "whsec_kB3cY7dW1eXv5fUz9gTa0hSb4iRc8jQd";
const EVENT = {
  type: "message.delivery_receipt",
  timestamp: "2026-11-21T09:30:07.412Z",
  data: {
    message_id: "msg_01kaj9y2m4t8w3x6z5b7c9d0ef", sequence: 2, to: "+12025550123", channel: "sms",
    status: "delivered", final: true, carrier_status: "DELIVRD", error_code: null, segments: 1,
  },
};

export const genuine = (now) => ({
  id: "evt_01kaj9y2m4t8w3x6z5b7c9d0ef",
  timestamp: String(now),
  body: utf8(JSON.stringify(EVENT)),
  secret: SECRET,
  other: OTHER,
  now,
});

// Groups of [key, name]. The first preset is the genuine delivery itself.
export const PRESETS = {
  Genuine: [
    ["genuine", "A genuine delivery"],
    ["rotated", "Two signatures, your secret is the older"],
  ],
  "Body changed": [
    ["spaced", "Parsed and written again, with spaces"],
    ["ordered", "Keys in another order"],
    ["unicode", "Unicode escaped"],
    ["slashes", "Slashes escaped"],
    ["newline", "A line break at its end"],
    ["crlf", "CRLF in the place of LF"],
    ["bom", "A byte order mark before it"],
    ["spaces", "Spaces around it"],
    ["empty", "Signed after something had read it"],
    ["character", "One character is another"],
  ],
  Time: [
    ["old", "Eleven minutes old"],
    ["early", "Ten minutes ahead of the clock"],
    ["milliseconds", "Timestamp in milliseconds"],
    ["attempt", "Timestamp of another attempt"],
  ],
  Secret: [
    ["other", "The secret of another endpoint"],
    ["expired", "Rotated two days ago, your secret is the older"],
    ["text", "The secret's text as the key"],
    ["prefix", "The prefix decoded with the rest"],
    ["behind", "A line break behind the secret's text"],
  ],
  "Header changed": [
    ["hex", "In hexadecimal"],
    ["capitals", "In hexadecimal, upper case"],
    ["version", "Without v1,"],
    ["commas", "Several, with commas between them"],
    ["url", "Base64 for URLs"],
    ["plus", "Spaces in the place of +"],
    ["none", "None"],
  ],
};
