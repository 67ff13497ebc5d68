/**
 * The address of a screen, in the hash: `#/operations/listOffers?status=ACTIVE&sort=-stock`. Whatever a screen shows
 * (filters, order, page) is in it, so that it can be linked to.
 *
 * @typedef {{ screen: string, name: string, query: [string, string][] }} Route
 */

/** @returns {Route} the current one */
export function currentRoute() {
  const hash = location.hash.startsWith('#/') ? location.hash.slice(2) : '';
  const [path, query = ''] = splitOnce(hash, '?');
  const [screen, name = ''] = splitOnce(path, '/');
  return { screen, name: decodeURIComponent(name), query: [...new URLSearchParams(query)] };
}

/** @param {string} text @param {string} separator */
function splitOnce(text, separator) {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/**
 * The hash of a route.
 * @param {string} screen
 * @param {string} [name]
 * @param {Record<string, string> | [string, string][]} [query]
 */
export function link(screen, name = '', query = []) {
  const parameters = new URLSearchParams(query).toString();
  return `#/${screen}${name && `/${encodeURIComponent(name)}`}${parameters && `?${parameters}`}`;
}

/**
 * Goes to a route. A changed query of the same screen replaces the entry in the history.
 * @param {string} hash
 * @param {boolean} [replaces]
 */
export function go(hash, replaces = false) {
  if (!replaces) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** @param {Route} route @param {string} name the last value of a parameter */
export function parameter(route, name) {
  return route.query.findLast(([known]) => known === name)?.[1] ?? '';
}
