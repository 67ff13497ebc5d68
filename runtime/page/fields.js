/**
 * The fields of a resource, as the model describes them.
 *
 * @import { Interface, Json } from './interface.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { link } from './router.js';
import { toJson } from './numbers.js';
import { t } from './texts.js';
import { prose } from './values.js';

/** Keys of a field that are limits of its values, in the words of the schema language. */
const LIMITS = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxBytes',
  'scale',
  'pattern',
  'format',
];
/** Keys that are true or absent, with the phrase that says so. */
const FLAGS = /** @type {const} */ ([
  'required',
  'immutable',
  'readOnly',
  'writeOnly',
  'unique',
  'filter',
  'sort',
  'uniqueItems',
]);

/** @param {Interface} api @param {Json[]} fields @param {string} [prefix] */
export function fieldList(api, fields, prefix = '') {
  return html`<ul class="fields">${fields.map((field) => fieldItem(api, field, prefix))}</ul>`;
}

/** @param {Interface} api @param {Json} field @param {string} prefix */
function fieldItem(api, field, prefix) {
  const name = `${prefix}${field.name}`;
  const inner = api.fieldsIn(field);
  const values = valuesOf(api, field);
  const limits = LIMITS.map((key) => [key, field[key] ?? field.items?.[key]]).filter(
    ([, value]) => value !== undefined,
  );
  const only = [...(field.views ?? []), ...(field.versions ?? [])];
  return html`<li>
    <p class="row">
      <code class="name">${name}</code> <span class="type">${typeWords(api, field)}</span>
      ${FLAGS.filter((flag) => field[flag] && field[flag] !== false).map(
        (flag) => html`<span class="tag ${flag === 'required' ? 'need' : ''}">${t(flag)}</span>`,
      )}
      ${only.map((word) => html`<span class="tag note">${t('onlyIn', { name: word })}</span>`)}
      ${field.deprecated ? html`<span class="tag warn">${t('deprecated')} ${field.sunset ?? ''}</span>` : nothing}
      ${field.formerly ? html`<span class="tag warn">${formerName(field.formerly)}</span>` : nothing}
    </p>
    ${field.description ? html`<p class="hint">${prose(field.description)}</p>` : nothing}
    ${
      field.is ? html`<p class="hint">${t('computed')} <code>${field.is}</code></p>` : nothing
    }
    ${
      limits.length > 0 || field.default !== undefined
        ? html`<p class="hint">${limits.map(([key, value]) => html`<code>${key}: ${value}</code> `)}
          ${field.default === undefined ? nothing : html`<code>default: ${toJson(field.default)}</code>`}</p>`
        : nothing
    }
    ${values ? html`<p class="hint">${values.map((value) => html`<code class="tag">${value}</code> `)}</p>` : nothing}
    ${inner.length > 0 ? fieldList(api, inner, `${name}.`) : nothing}
  </li>`;
}

/** @param {Json} former */
function formerName({ name, sunset }) {
  return t('formerly', { name, day: sunset });
}

/** @param {Interface} api @param {Json} field */
function typeWords(api, field) {
  if (field.type === 'array') return html`${t('listOf')} ${typeWords(api, field.items)}`;
  if (field.type === 'map') return html`${t('mapOf')} ${typeWords(api, field.values)}`;
  if (field.type === 'ref') {
    const to = api.resourceNamed(field.to);
    return html`→ ${to ? html`<a href=${link('resources', to.plural)}>${field.to}</a>` : field.to}`;
  }
  return field.type === 'named' ? field.of : field.type;
}

/** The values of an enum. @param {Interface} api @param {Json} field @returns {string[] | null} */
function valuesOf(api, field) {
  const item = field.type === 'array' ? field.items : field;
  const type = item.type === 'map' ? item.values : item;
  return (type.type === 'named' ? api.named(type.of)?.values : type.values) ?? null;
}
