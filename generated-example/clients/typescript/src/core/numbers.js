// Part of every client that restwell generates. Do not edit.

// Numbers that JavaScript does not hold: the integers of a service have 64 bits, of which it keeps 53, and fractions in
// JSON of any form have all the digits that somebody gave them.

/** The strings and the numbers of a text of JSON. */
const TOKENS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** Whether a token is a number that stands for several, or a fraction that is written otherwise. */
const isRounded = (token) => (token % 1 ? String(+token) !== token : Math.abs(token) >= 2 ** 53);

/** How a text of JSON writes such numbers, by what JavaScript makes of them; nothing of two that become the same. */
export function digitsIn(text) {
  const digits = new Map();
  for (const token of text.match(TOKENS) ?? []) {
    if (isRounded(token)) digits.set(+token, (digits.get(+token) ?? token) === token && token);
  }
  return digits;
}

/** A value as JSON, such numbers with the digits that were read. One that was not read is refused by its name. */
export const toJson = (value, digits, name) =>
  JSON.stringify(value)?.replace(TOKENS, (token) => {
    if (token[0] === '"') name = token;
    const known = digits?.get(+token);
    // integers have 19 digits at most
    if (known || !isRounded(token) || /e|\d{20}/.test(token)) return known || token;
    throw new TypeError(`${name}: JavaScript does not hold ${token} exactly`);
  });
