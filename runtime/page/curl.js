/**
 * A call as a line of curl for a POSIX shell. The token is left out: it is read from a variable.
 *
 * @import { Call } from './client.js'
 */
import { address } from './client.js';

/** The variable that holds the token. */
export const TOKEN_VARIABLE = 'TOKEN';

/** @param {Call} call @returns {string} */
export function curl(call) {
  const method = call.method === 'GET' ? [] : [`-X ${call.method}`];
  const headers = call.headers.map(([name, value]) => `-H ${headerText(name, value)}`);
  const body = call.body === null ? [] : [`--data ${quoted(call.body)}`];
  return ['curl -i', ...method, quoted(address(call.path)), ...headers, ...body].join(' \\\n  ');
}

/** @param {string} name @param {string} value */
function headerText(name, value) {
  return name === 'Authorization' ? `"Authorization: Bearer $${TOKEN_VARIABLE}"` : quoted(`${name}: ${value}`);
}

/** In single quotes nothing has a meaning but the quote itself. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
