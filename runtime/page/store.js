/**
 * What the reader has chosen, and the loop that draws. A reload forgets the token, unless the reader has asked to keep
 * it in this tab.
 */
import { inTab, recall, remember } from './memory.js';

const TOKEN = 'token';

/** @type {{ token: string, language: string, version: string }} */
export const settings = {
  token: recall(inTab, TOKEN) ?? '',
  language: navigator.language.toLowerCase().startsWith('pl') ? 'pl' : 'en',
  version: '',
};

let isTokenKept = settings.token !== '';

/** Whether the token is kept in this tab. */
export const keepsToken = () => isTokenKept;

/** Keeps the token in this tab, or forgets it with the page. @param {boolean} isKept */
export function keepToken(isKept) {
  isTokenKept = isKept;
  remember(inTab, TOKEN, isKept && settings.token ? settings.token : null);
  refresh();
}

/** @type {Set<(changed: string[]) => void>} */
const listeners = new Set();

/**
 * Changes some settings, tells those who listen, and draws.
 * @param {Partial<typeof settings>} changes
 */
export function choose(changes) {
  Object.assign(settings, changes);
  const changed = Object.keys(changes);
  if (changed.includes(TOKEN)) keepToken(isTokenKept && settings.token !== '');
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
