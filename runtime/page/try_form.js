/**
 * What an operation is tried with: ids, body, headers; and what a dry run says of them.
 *
 * @import { OperationScreen } from './operation.js'
 * @import { Parameter } from './interface.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { control } from './inputs.js';
import { t } from './texts.js';
import { prose } from './values.js';

/** @param {OperationScreen} screen */
export function tryForm(screen) {
  const submit = (event) => {
    event.preventDefault();
    void screen.submit();
  };
  const { operation, dryRun } = screen;
  const kind = operation.method === 'DELETE' ? 'danger' : 'primary';
  return html`<form class="card" novalidate @submit=${submit} aria-label=${t('tryIt')}>
    ${operation.ids.map((id) => idInput(screen, id))}
    ${screen.takesBody ? screen.form.render(dryRun.problems) : nothing} ${headerInputs(screen)}
    <div class="row actions">
      <button type="submit" class=${kind} id="send" ?disabled=${screen.isBusy}>
        ${screen.command?.isSent ? t('sendAgain') : t('send')} <span class="method-word">${operation.method}</span>
      </button>
      ${dryRun.isOffered ? button('check', '', t('checkAll'), () => screen.checkAll()) : nothing}
      ${operation.action === 'update' ? button('reload', 'quiet', t('reload'), () => screen.reload()) : nothing}
      ${screen.command ? button('anew', 'quiet', t('newCommandId'), () => screen.anew()) : nothing}
    </div>
    ${dryRun.isOffered ? dryRunStatus(screen) : nothing}
  </form>`;
}

/** @param {string} id @param {string} kind @param {string} label @param {() => unknown} act */
function button(id, kind, label, act) {
  return html`<button type="button" id=${id} class=${kind} @click=${act}>${label}</button>`;
}

/** @param {OperationScreen} screen @param {Parameter} id */
export function idInput(screen, id) {
  const name = `id-${id.name}`;
  const field = id.resource ? { type: 'ref', to: id.resource } : undefined;
  const value = screen.ids[id.name] ?? '';
  const set = (text) => screen.setId(id, text);
  return html`<div class="field">
    <label for=${name}><span class="name">${id.name}</span> <span class="tag">${t('inPath')}</span></label>
    ${control(screen.api, { id: name, schema: id.schema, field, value, described: `${name}-hint`, set })}
    <p class="hint" id="${name}-hint" lang="en">${prose(id.description)}</p>
  </div>`;
}

/** @param {OperationScreen} screen */
function headerInputs(screen) {
  // the language is a switch of the page
  const headers = screen.operation.headers.filter(({ name }) => name !== 'Accept-Language');
  if (headers.length === 0) return nothing;
  return html`<details class="more">
    <summary>${t('moreHeaders')}</summary>
    ${headers.map((header) => headerInput(screen, header))}
  </details>`;
}

/** @param {OperationScreen} screen @param {Parameter} header */
function headerInput(screen, { name, schema, description }) {
  const id = `header-${name}`;
  const value = screen.headers[name] ?? '';
  const set = (text) => screen.setHeader(name, text);
  return html`<div class="field">
    <label for=${id}><span class="name">${name}</span></label>
    ${control(screen.api, { id, schema, value, described: `${id}-hint`, set })}
    <p class="hint" id="${id}-hint" lang="en">${prose(description)}</p>
  </div>`;
}

/** @param {OperationScreen} screen */
function dryRunStatus({ dryRun }) {
  const { state, problems, reply } = dryRun;
  const words = {
    idle: t('dryRunIdle'),
    checking: t('dryRunChecking'),
    valid: t('dryRunValid'),
    faulty: t('faults', { count: problems.length }),
    refused: t('dryRunRefused', { status: reply?.status ?? '' }),
  };
  return html`<p class="dry-run ${state}" id="dry-run" role="status">${words[state]}</p>`;
}
