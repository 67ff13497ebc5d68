/**
 * An entity: its values, what can be done with it, what is under it, and its events as they happen.
 *
 * @import { Interface, Operation } from './interface.js'
 * @import { Reply } from './client.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { flat } from './draft.js';
import { link } from './router.js';
import { wholeValue } from './values.js';
import { t } from './texts.js';

/**
 * @param {Interface} api @param {Operation} operation @param {Record<string, string>} ids @param {Reply | null} reply
 */
export function entityView(api, operation, ids, reply) {
  if (reply?.status !== 200 || typeof reply.json !== 'object') return nothing;
  const type = reply.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const schema = flat(api, operation.results.get(type) ?? {});
  const fields = api.fieldsOf(operation);
  return html`<section aria-labelledby="entity-title">
    <h2 id="entity-title">${operation.resource}</h2>
    <nav class="row next" aria-label=${t('actions')}>${actions(api, operation, ids)}</nav>
    <dl class="values">
      ${Object.entries(reply.json).map(([name, value]) => {
        const field = fields.find((it) => it.name === name);
        const part = flat(api, schema.properties?.[name] ?? {});
        return html`<div><dt>${name}</dt><dd>${wholeValue(api, part, field, value, name)}</dd></div>`;
      })}
    </dl>
    ${below(api, operation, ids)}
  </section>`;
}

/**
 * What can be done with it, in its view first.
 * @param {Interface} api @param {Operation} operation @param {Record<string, string>} ids
 */
function actions(api, operation, ids) {
  const { resource, view } = operation;
  const changes = ['update', 'patch', 'delete'].map((action) => api.find(resource, action, { view }));
  const commands = api.resourceNamed(resource)?.operations.filter((it) => it.action === 'submit') ?? [];
  const all = [...changes.filter((it) => it !== undefined), ...commands];
  return all.map((it) => html`<a class="button" href=${link('operations', it.name, ids)}>${it.summary}</a>`);
}

/**
 * The scoped collections of which it is the parent.
 * @param {Interface} api @param {Operation} operation @param {Record<string, string>} ids
 */
function below(api, operation, ids) {
  const isBelow = (it) => it.action === 'list' && it.under !== null && it.ids[0]?.resource === operation.resource;
  const lists = [...api.operations.values()].filter(isBelow);
  if (lists.length === 0) return nothing;
  return html`<h3>${t('below')}</h3>
    <ul class="links">
      ${lists.map(
        (it) =>
          html`<li><a href=${link('operations', it.name, ids)}>${it.summary}</a> <code>${it.path}</code></li>`,
      )}
    </ul>`;
}
