/**
 * What the reader has chosen, and the loop that draws. All of it is in memory only: a reload forgets the token.
 */

/** @type {{ token: string, language: string, version: string }} */
export const settings = {
  token: '',
  language: navigator.language.toLowerCase().startsWith('pl') ? 'pl' : 'en',
  version: '',
};

/** @type {Set<(changed: string[]) => void>} */
const listeners = new Set();

/**
 * Changes some settings, tells those who listen, and draws.
 * @param {Partial<typeof settings>} changes
 */
export function choose(changes) {
  Object.assign(settings, changes);
  const changed = Object.keys(changes);
  listeners.forEach((listener) => listener(changed));
  refresh();
}

/**
 * Calls a function with the names of changed settings, until the function that this returns is called.
 * @param {(changed: string[]) => void} listener
 */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let draw = () => {};
let isScheduled = false;

/** @param {() => void} drawing what draws the page */
export function drawWith(drawing) {
  draw = drawing;
}

/** Draws soon, once for all changes until then. */
export function refresh() {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    draw();
  });
}

/**
 * Does something after the next drawing.
 * @param {() => void} action
 */
export function afterDrawing(action) {
  refresh();
  requestAnimationFrame(() => requestAnimationFrame(action));
}
