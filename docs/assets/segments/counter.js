// What the estimator on pages of rates asks for the segments of a text (units.segment.counter in data/book.yaml).

import { MOST_SEGMENTS, segment } from "./segments.js";

// The number of segments, with facts to show. Throws a RangeError for a text that has no price.
export function count(text) {
  const { encoding, segments } = segment(text);
  const number = segments.length.toLocaleString("en-GB");
  if (segments.length === 0) throw new RangeError("Enter a text to count its segments.");
  if (segments.length > MOST_SEGMENTS) {
    throw new RangeError(`The API rejects this text: it takes ${number} segments, and the limit is ${MOST_SEGMENTS}.`);
  }
  return { amount: segments.length, facts: [["Encoding", encoding], ["Segments", number]] };
}
