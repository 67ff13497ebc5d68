/**
 * A list: filters by what the operation takes, order, pages, and the entities in a table. All of it is in the address.
 *
 * @import { OperationScreen } from './operation.js'
 * @import { Json, Parameter } from './interface.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { flat, kindOf } from './draft.js';
import { control } from './inputs.js';
import { inBrowser, recall, remember } from './memory.js';
import { afterDrawing, refresh, settings } from './store.js';
import { link } from './router.js';
import { cell, prose } from './values.js';
import { t } from './texts.js';
import { idInput } from './try_form.js';

const PAGE = 20;
const COLUMNS = 7;
/** Parameters that are no filters. */
const PAGING = ['sort', 'limit', 'offset', 'dryRun', 'include'];

/** The filters that are being written, by screen. @type {WeakMap<OperationScreen, [string, string][]>} */
const drafts = new WeakMap();

/** @param {OperationScreen} screen */
export function listView(screen) {
  if (!drafts.has(screen))
    drafts.set(
      screen,
      screen.query.filter(([name]) => !PAGING.includes(name)),
    );
  const filters = drafts.get(screen) ?? [];
  const apply = (event) => {
    event.preventDefault();
    show(screen, { offset: '' }, filters);
  };
  return html`<form class="card filters" novalidate @submit=${apply} aria-label=${t('filters')}>
      ${screen.operation.ids.map((id) => idInput(screen, id))}
      ${filters.map((filter, index) => filterRow(screen, filters, filter, index))}
      <div class="row actions">
        ${adder(screen, filters)}
        <button type="submit" class="primary" id="apply">${t('apply')}</button>
      </div>
    </form>
    ${screen.reply?.status === 200 ? table(screen, screen.reply.json) : nothing}`;
}

/** @param {OperationScreen} screen @returns {Parameter[]} */
function filterParameters(screen) {
  const version = screen.api.versionOf(screen.api.mediaType(screen.operation, settings.version));
  const isServed = ({ versions }) => versions === null || versions.includes(version);
  return screen.operation.query.filter((parameter) => !PAGING.includes(parameter.name) && isServed(parameter));
}

/** @param {OperationScreen} screen @param {[string, string][]} filters */
function adder(screen, filters) {
  const add = () => {
    const choice = /** @type {HTMLSelectElement} */ (document.getElementById('filter-name'));
    drafts.set(screen, [...filters, [choice.value, '']]);
    afterDrawing(() => document.getElementById(`filter-${filters.length}`)?.focus());
  };
  return html`<span class="adder"><label for="filter-name">${t('filterBy')}</label>
    <select id="filter-name">
      ${filterParameters(screen).map(({ name }) => html`<option value=${name}>${name}</option>`)}
    </select>
    <button type="button" id="add-filter" @click=${add}>${t('addFilter')}</button></span>`;
}

/**
 * @param {OperationScreen} screen @param {[string, string][]} filters @param {[string, string]} filter
 * @param {number} index
 */
function filterRow(screen, filters, [name, value], index) {
  const parameter = screen.operation.query.find((it) => it.name === name);
  const set = (text) => {
    drafts.set(
      screen,
      filters.map((it, at) => (at === index ? [name, text] : it)),
    );
    refresh();
  };
  const remove = () => {
    const rest = filters.filter((_, at) => at !== index);
    drafts.set(screen, rest);
    show(screen, { offset: '' }, rest);
    afterDrawing(() => document.getElementById('add-filter')?.focus());
  };
  const id = `filter-${index}`;
  const problem = screen.reply?.json?.errors?.find?.((it) => it.path === name);
  const described = [`${id}-hint`, problem && `${id}-error`].filter(Boolean).join(' ');
  const input = {
    id,
    schema: parameter?.schema ?? { type: 'string' },
    field: screen.api.filteredField(screen.operation, name),
    value,
    described,
    isFaulty: Boolean(problem),
    set,
  };
  return html`<div class="field">
    <label for=${id}><span class="name">${name}</span></label>
    <div class="row">
      ${control(screen.api, input)}
      <button type="button" class="quiet" aria-label=${t('removeItem', { name })} @click=${remove}>×</button>
    </div>
    <p class="hint" id="${id}-hint" lang="en">${prose(parameter?.description ?? '')}</p>
    ${problem ? html`<p class="error" id="${id}-error">${problem.userMessage}</p>` : nothing}
  </div>`;
}

/**
 * Shows the list with a changed order or page.
 * @param {OperationScreen} screen @param {Record<string, string>} changes @param {[string, string][]} filters
 */
function show(screen, changes, filters) {
  screen.show(withPaging(screen, changes, filters));
}

/**
 * @param {OperationScreen} screen @param {Record<string, string>} changes @param {[string, string][]} filters
 * @returns {[string, string][]}
 */
function withPaging(screen, changes, filters) {
  const paging = Object.fromEntries(screen.query.filter(([name]) => PAGING.includes(name)));
  const changed = Object.entries({ ...paging, ...changes }).filter(([, value]) => value !== '');
  return [...filters, ...changed];
}

/** @param {OperationScreen} screen @param {any} json */
function table(screen, json) {
  const mediaType = screen.api.mediaType(screen.operation, settings.version) ?? '';
  const schema = flat(screen.api, screen.operation.results.get(mediaType) ?? {});
  const [name, list] = Object.entries(schema.properties ?? {}).find(([, part]) => part.type === 'array') ?? [];
  const item = flat(screen.api, list?.items ?? {});
  const items = (name && json[name]) ?? [];
  const fields = screen.api.fieldsOf(screen.operation);
  const { all, chosen: columns } = columnsOf(screen, item, fields);
  return html`<section aria-labelledby="list-title" aria-busy=${screen.isBusy ? 'true' : 'false'}>
    <h2 id="list-title">
      ${t('results')} ${json.count === undefined ? nothing : html`<span class="count" id="count">${json.count}</span>`}
    </h2>
    ${columnMenu(screen, all, columns)}
    ${
      items.length === 0
        ? html`<p class="empty">${t('noResults')}</p>`
        : html`<div class="scroll" tabindex="0" role="group" aria-label=${t('table')}><table>
          <thead><tr>${columns.map((column) => heading(screen, column.name))}</tr></thead>
          <tbody>${items.map((entity) => row(screen, entity, columns))}</tbody>
        </table></div>`
    }
    ${pages(screen, items.length, json.count)}
  </section>`;
}

/** Under which the columns of a list are remembered. @param {OperationScreen} screen */
const columnsKey = (screen) => `columns.${screen.operation.name}`;

/**
 * Which fields the table shows.
 * @param {OperationScreen} screen @param {{ name: string }[]} all @param {{ name: string }[]} chosen
 */
function columnMenu(screen, all, chosen) {
  const isShown = (name) => chosen.some((column) => column.name === name);
  const choose = (name, isChosen) => {
    const names = all.map((column) => column.name).filter((it) => (it === name ? isChosen : isShown(it)));
    remember(inBrowser, columnsKey(screen), JSON.stringify(names));
    refresh();
  };
  return html`<details class="more" id="columns">
    <summary>${t('columns')} (${chosen.length - 1}/${all.length})</summary>
    <div class="row">
      ${all.map(
        ({ name }) => html`<span class="row"><input type="checkbox" id="column-${name}" .checked=${isShown(name)}
            @change=${(event) => choose(name, event.target.checked)}>
          <label for="column-${name}">${name}</label></span>`,
      )}
    </div>
  </details>`;
}

/** The columns that the reader has chosen, if any. @param {OperationScreen} screen @returns {string[] | null} */
function rememberedColumns(screen) {
  try {
    const names = JSON.parse(recall(inBrowser, columnsKey(screen)) ?? 'null');
    return Array.isArray(names) ? names : null;
  } catch {
    return null;
  }
}

/**
 * The fields that a table can have, and those that it has: those chosen, else the name first, if there is one, and what
 * is short enough for a table.
 * @param {OperationScreen} screen @param {Json} item @param {Json[]} fields
 */
function columnsOf(screen, item, fields) {
  const all = Object.entries(item.properties ?? {}).map(([name, part]) => ({
    name,
    schema: flat(screen.api, part),
    field: fields.find((field) => field.name === name),
  }));
  const isShort = ({ schema, field }) => {
    const isSmall =
      field?.type === 'ref' || field?.type === 'price' || !['object', 'array', 'ignored'].includes(kindOf(schema));
    return isSmall && (field?.maxLength ?? 0) <= 500;
  };
  const rank = ({ name }) => (name === 'name' ? 0 : ['createdAt', 'updatedAt'].includes(name) ? 2 : 1);
  const others = all.filter((column) => column.name !== 'id').sort((a, b) => rank(a) - rank(b));
  const names = rememberedColumns(screen);
  const chosen = names ? others.filter(({ name }) => names.includes(name)) : others.filter(isShort).slice(0, COLUMNS);
  return { all: others, chosen: [{ name: 'id', schema: { type: 'string' }, field: undefined }, ...chosen] };
}

/** @param {OperationScreen} screen @param {string} name */
function heading(screen, name) {
  const sortable = screen.operation.query.find((parameter) => parameter.name === 'sort')?.values ?? [];
  const sort = screen.query.find(([known]) => known === 'sort')?.[1] ?? '';
  if (!sortable.includes(name)) return html`<th scope="col">${name}</th>`;
  const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
  const next = order === 'ascending' ? `-${name}` : order === 'descending' ? '' : name;
  const filters = drafts.get(screen) ?? [];
  const arrow = { ascending: '↑', descending: '↓', none: '↕' }[order];
  return html`<th scope="col" aria-sort=${order}>
    <button type="button" class="sort" @click=${() => show(screen, { sort: next, offset: '' }, filters)}>
      ${name} <span aria-hidden="true">${arrow}</span>
    </button>
  </th>`;
}

/**
 * @param {OperationScreen} screen @param {any} entity @param {{ name: string, schema: Json, field?: Json }[]} columns
 */
function row(screen, entity, columns) {
  const { resource, view } = screen.operation;
  const get = screen.api.entityOperation(resource, view);
  const id = get?.ids.at(-1)?.name;
  const short = `…${String(entity.id).slice(-8)}`;
  const open =
    get && id
      ? html`<a href=${link('operations', get.name, { [id]: entity.id })} title=${entity.id}>${short}</a>`
      : short;
  return html`<tr>
    ${columns.map(({ name, schema, field }) =>
      name === 'id'
        ? html`<th scope="row">${open}</th>`
        : html`<td>${cell(screen.api, schema, field, entity[name])}</td>`,
    )}
  </tr>`;
}

/** @param {OperationScreen} screen @param {number} shown @param {number | undefined} count */
function pages(screen, shown, count) {
  const number = (name, otherwise) => {
    const text = screen.query.find(([known]) => known === name)?.[1];
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : otherwise;
  };
  const [limit, offset] = [number('limit', PAGE), number('offset', 0)];
  const filters = drafts.get(screen) ?? [];
  const to = (start) => () => show(screen, { offset: start > 0 ? String(start) : '', limit: String(limit) }, filters);
  const hasNext = count === undefined ? shown === limit : offset + shown < count;
  const range = `${shown === 0 ? '0' : `${offset + 1}–${offset + shown}`}${count === undefined ? '' : ` / ${count}`}`;
  return html`<div class="row pages">
    <button type="button" id="previous" ?disabled=${offset === 0} @click=${to(Math.max(0, offset - limit))}>
      ${t('previous')}
    </button>
    <span class="muted">${range}</span>
    <button type="button" id="next" ?disabled=${!hasNext} @click=${to(offset + limit)}>${t('nextPage')}</button>
  </div>`;
}

/**
 * A list that nobody has asked for otherwise begins with a short page.
 * @param {[string, string][]} query @returns {[string, string][]}
 */
export function firstPage(query) {
  return query.some(([name]) => name === 'limit') ? query : [...query, ['limit', String(PAGE)]];
}
