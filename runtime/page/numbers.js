/**
 * JSON with the numbers that JavaScript does not hold: the integers of a service have 64 bits, of which it keeps 53,
 * and numbers in JSON of any form have the digits that they were written with.
 */

/** A number that JavaScript would write otherwise, as it was written. */
export class LongNumber {
  /** @param {string} digits */
  constructor(digits) {
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }
}

/** The strings and the numbers of a text of JSON. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;
/** A number of JSON. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** Begins, in a string, what becomes a number. No text of a service begins so. */
const MARK = '\0';
/** From here on, several integers are one number. */
const LIMIT = 2 ** 53;

/** A number as it was written. @param {string} digits */
export function numberOf(digits) {
  const value = Number(digits);
  return Math.abs(value) < LIMIT ? value : new LongNumber(digits);
}

/** A text of JSON; fails if it is none. @param {string} text @returns {any} */
export function fromJson(text) {
  const marked = text.replace(TOKENS, (token) => (isChanged(token) ? `"\\u0000${token}"` : token));
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(MARK) ? new LongNumber(value.slice(1)) : value,
  );
}

/** Whether a number would be written otherwise, or stands for several. @param {string} token it, or a text in quotes */
function isChanged(token) {
  if (!NUMBER.test(token)) return false;
  return String(Number(token)) !== token || Math.abs(Number(token)) >= LIMIT;
}

/** A value as JSON. @param {any} value @param {number} [indent] @returns {string} */
export function toJson(value, indent) {
  const text = JSON.stringify(value, (_, it) => (it instanceof LongNumber ? MARK + it.digits : it), indent);
  return text?.replace(/"\\u0000(-?\d[\d.eE+-]*)"/g, '$1');
}
