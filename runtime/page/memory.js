/**
 * What the browser remembers for a reader who asks for it. A browser may refuse to: then it is forgotten.
 */

/** Of every service on this origin that has such a page. */
const PREFIX = 'restwell.';

/** @param {() => Storage} storage @param {string} name @returns {string | null} */
export function recall(storage, name) {
  try {
    return storage().getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} name @param {string | null} text null forgets it */
export function remember(storage, name, text) {
  try {
    if (text === null) storage().removeItem(PREFIX + name);
    else storage().setItem(PREFIX + name, text);
  } catch {
    // nothing depends on it
  }
}

/** Until the tab is closed. */
export const inTab = () => sessionStorage;
/** Until the reader clears it. */
export const inBrowser = () => localStorage;
