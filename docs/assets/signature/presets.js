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
    ["rotated", "Two signatures, you have the older secret"],
  ],
  "Body changed": [
    ["spaced", "Re-serialized with spaces"],
    ["ordered", "Keys in another order"],
    ["unicode", "Unicode escaped"],
    ["slashes", "Slashes escaped"],
    ["newline", "Trailing line break"],
    ["crlf", "CRLF instead of LF"],
    ["bom", "Byte order mark added"],
    ["spaces", "Surrounding spaces"],
    ["empty", "Body already read"],
    ["character", "One character changed"],
  ],
  Time: [
    ["old", "Eleven minutes old"],
    ["early", "Ten minutes ahead of the clock"],
    ["milliseconds", "Timestamp in milliseconds"],
    ["attempt", "Timestamp of another attempt"],
  ],
  Secret: [
    ["other", "The secret of another endpoint"],
    ["expired", "Rotated two days ago, you have the older secret"],
    ["text", "Text of the secret as the key"],
    ["prefix", "Prefix decoded too"],
    ["behind", "Text of the secret with a line break"],
  ],
  "Header changed": [
    ["hex", "Hexadecimal"],
    ["capitals", "Hexadecimal, upper case"],
    ["version", "Without v1,"],
    ["commas", "Separated by commas"],
    ["url", "URL-safe Base64"],
    ["plus", "Spaces instead of +"],
    ["none", "Missing"],
  ],
};
