/**
 * What came back: status, headers, body, errors in the reader's language; and the call as curl.
 *
 * @import { Call, Reply } from './client.js'
 */
import { html, nothing } from './vendor/lit-html.js';
import { curl, TOKEN_VARIABLE } from './curl.js';
import { jsonView } from './json.js';
import { t } from './texts.js';

/** The class of a status. @param {number} status */
export function statusClass(status) {
  if (status < 300) return 'good';
  return status < 400 ? 'note' : 'bad';
}

/**
 * @param {Reply | null} reply @param {string} failure why there is no reply
 * @param {boolean} isShown whether the screen shows the body in its own way
 */
export function answerView(reply, failure, isShown) {
  if (failure) return html`<p class="message bad" role="alert">${t('noResponse')} ${failure}</p>`;
  if (!reply) return nothing;
  const problems = reply.json?.errors;
  const isProblem = reply.status >= 400 && Array.isArray(problems);
  return html`<section class="answer" aria-labelledby="answer-title">
    <h2 id="answer-title">${t('answer')}</h2>
    <p class="status" role="status">
      <strong class="badge ${statusClass(reply.status)}" id="answer-status">${reply.status} ${reply.reason}</strong>
      <span class="muted">${t('milliseconds', { value: Math.round(reply.milliseconds) })}</span>
    </p>
    ${isProblem ? problemList(problems) : nothing}
    <details>
      <summary>${t('headers')} (${reply.headers.length})</summary>
      <dl class="headers">
        ${reply.headers.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
      </dl>
    </details>
    ${body(reply, !isShown && reply.status < 400)}
  </section>`;
}

/** @param {Reply} reply @param {boolean} isOpen */
function body(reply, isOpen) {
  if (reply.text === '') return html`<p class="muted">${t('noBody')}</p>`;
  if (reply.json === undefined) return html`<pre class="code" tabindex="0"><code>${reply.text}</code></pre>`;
  return html`<details ?open=${isOpen}>
    <summary>${t('body')}</summary>
    ${jsonView(reply.json, t('body'))}
  </details>`;
}

/** @param {any[]} problems */
export function problemList(problems) {
  return html`<ul class="problems">
    ${problems.map(
      (problem) => html`<li>
        <strong>${problem.userMessage}</strong>
        <span class="muted">
          <code>${problem.code}</code>${problem.path ? html` · <code>${problem.path}</code>` : nothing}
        </span>
      </li>`,
    )}
  </ul>`;
}

/** @param {Call} call */
export function curlView(call) {
  const text = curl(call);
  const hasToken = call.headers.some(([name]) => name === 'Authorization');
  // the clipboard is there only for pages that come by HTTPS or from this machine
  const copy = () => void navigator.clipboard.writeText(text);
  return html`<details class="curl">
    <summary>${t('sameAsCurl')}</summary>
    <pre class="code" tabindex="0" role="group" aria-label=${t('sameAsCurl')}><code id="curl">${text}</code></pre>
    ${hasToken ? html`<p class="muted">${t('curlToken', { name: TOKEN_VARIABLE })}</p>` : nothing}
    ${navigator.clipboard ? html`<button type="button" class="quiet" @click=${copy}>${t('copy')}</button>` : nothing}
  </details>`;
}
