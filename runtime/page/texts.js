/**
 * The words of the page in the language that the reader has chosen. What the service says of itself stays as its team
 * wrote it.
 */
import { english } from './texts_en.js';
import { polish } from './texts_pl.js';
import { settings } from './store.js';

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Phrase */

/** @type {Record<string, Record<keyof typeof english, Phrase>>} */
const LANGUAGES = { en: english, pl: polish };

/**
 * A phrase, with values in the place of `{name}`. One that depends on a number takes it as `count`.
 * @param {keyof typeof english} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const phrase = LANGUAGES[settings.language][key];
  const text = typeof phrase === 'string' ? phrase : plural(phrase, Number(values.count));
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** @param {Partial<Record<Intl.LDMLPluralRule, string>>} forms @param {number} count */
function plural(forms, count) {
  return forms[new Intl.PluralRules(settings.language).select(count)] ?? forms.other ?? '';
}
