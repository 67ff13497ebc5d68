/**
 * The switches of the page: language, version, token. The token is in memory only, unless the reader keeps it in the
 * tab; what it says is shown unchecked: the service checks it.
 *
 * @import { Interface } from './interface.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { parse } from './client.js';
import { choose, keepToken, keepsToken, settings } from './store.js';
import { t } from './texts.js';

/** The languages of the page, in their own words. */
const LANGUAGES = { en: 'English', pl: 'Polski' };

/** Milliseconds without a key before a token is used. */
const PAUSE = 250;
let typing = 0;

/** @param {Interface} api */
export function settingsBar(api) {
  return html`<div class="settings">
    <div class="setting"><label for="language">${t('language')}</label>
      <select id="language" @change=${(event) => choose({ language: event.target.value })}>
        ${Object.entries(LANGUAGES).map(([code, name]) => option(code, name, settings.language))}
      </select></div>
    ${
      api.versions.length > 1
        ? html`<div class="setting"><label for="version">${t('version')}</label>
          <select id="version" @change=${(event) => choose({ version: event.target.value })}>
            ${api.versions.map((version) => option(version, version, settings.version))}
          </select></div>`
        : nothing
    }
    ${tokenBox()}
  </div>`;
}

/** @param {string} value @param {string} label @param {string} chosen */
function option(value, label, chosen) {
  return html`<option value=${value} .selected=${value === chosen}>${label}</option>`;
}

function tokenBox() {
  const claims = claimsOf(settings.token);
  const set = (event) => {
    clearTimeout(typing);
    const token = event.target.value.trim().replace(/^Bearer\s+/i, '');
    typing = setTimeout(() => choose({ token }), PAUSE);
  };
  return html`<details class="token">
    <summary>
      ${t('token')}
      <span class="tag ${settings.token ? 'need' : ''}">${settings.token ? t('tokenSet') : t('tokenNone')}</span>
    </summary>
    <div class="box card">
      <label for="token">${t('tokenLabel')}</label>
      <textarea id="token" rows="3" class="mono" spellcheck="false" autocomplete="off" aria-describedby="token-hint"
        .value=${settings.token} @input=${set}></textarea>
      <p class="hint" id="token-hint">${t('tokenHint')}</p>
      <p class="row"><input type="checkbox" id="keep-token" .checked=${keepsToken()} ?disabled=${!settings.token}
          @change=${(event) => keepToken(event.target.checked)}>
        <label for="keep-token">${t('tokenKeep')}</label></p>
      <div role="status">
        ${settings.token && !claims ? html`<p class="hint">${t('tokenNoJwt')}</p>` : nothing}
        ${claims ? claimList(claims) : nothing}
      </div>
      ${settings.token
        ? html`<button type="button" id="forget" @click=${() => choose({ token: '' })}>${t('tokenForget')}</button>`
        : nothing}
    </div>
  </details>`;
}

/** @param {Record<string, any>} claims */
function claimList({ sub, scope, exp }) {
  const end = typeof exp === 'number' ? new Date(exp * 1000) : null;
  const isOver = end !== null && end.getTime() < Date.now();
  return html`<dl class="values">
    <div><dt>sub</dt><dd><code>${sub ?? '–'}</code></dd></div>
    <div><dt>scope</dt><dd>${String(scope ?? '')
      .split(' ')
      .filter(Boolean)
      .map((it) => html`<code class="tag">${it}</code> `)}</dd></div>
    <div>
      <dt>exp</dt>
      <dd>
        ${end?.toISOString() ?? '–'} ${isOver ? html`<span class="tag warn">${t('tokenExpired')}</span>` : nothing}
      </dd>
    </div>
  </dl>`;
}

/** What a JWT says, unchecked. @param {string} token @returns {Record<string, any> | null} */
function claimsOf(token) {
  const part = token.split('.')[1];
  if (!part) return null;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (it) => it.charCodeAt(0));
    return parse(new TextDecoder().decode(bytes)) ?? null;
  } catch {
    return null;
  }
}
