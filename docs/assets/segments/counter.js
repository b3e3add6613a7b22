// What the estimator on pages of rates asks for the segments of a text (units.segment.counter in data/book.yaml).

import { MOST_SEGMENTS, segment } from "./segments.js";

// The number of segments, with what is said of them. Throws a RangeError for a text that has no price.
export function count(text) {
  const { encoding, segments } = segment(text);
  const number = segments.length.toLocaleString("en-GB");
  if (segments.length === 0) throw new RangeError("Write a text, and its segments are counted.");
  if (segments.length > MOST_SEGMENTS) {
    throw new RangeError(`The API refuses this text: it takes ${number} segments, and ${MOST_SEGMENTS} is the most.`);
  }
  return { amount: segments.length, facts: [["Encoding", encoding], ["Segments", number]] };
}
